import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Chance that can be repeated: the same seed gives the same choices on every machine. */
export interface Random {
  /** 0 to 1, without 1 */
  fraction(): number
  /** a whole number from `min` to `max`, both included */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
  /** the place in a list of growing sums, the sooner found the steeper the sums rise there */
  place(sums: readonly number[]): number
  shuffled<Item>(list: readonly Item[]): Item[]
}

/** @param seed a whole number; only its lowest 32 bits count */
export function randomFrom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  // its first numbers still look like the seed
  for (let i = 0; i < 64; i++) generator.next()
  const fraction = () => (generator.next() >>> 0) / 2 ** 32
  const below = (count: number) => Math.floor(fraction() * count)
  return {
    fraction,
    between: (min, max) => min + below(max - min + 1),
    chance: (probability) => fraction() < probability,
    pick: (list) => at(list, below(list.length)),
    place(sums) {
      const wanted = fraction() * (sums.at(-1) ?? 0)
      let [low, high] = [0, sums.length - 1]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sums[middle] ?? 0) > wanted) high = middle
        else low = middle + 1
      }
      return low
    },
    shuffled(list) {
      const items = [...list]
      for (let last = items.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const moved = at(items, last)
        items[last] = at(items, other)
        items[other] = moved
      }
      return items
    },
  }
}

/** The sums of a list so far, for `place`. */
export function sumsOf(weights: readonly number[]): number[] {
  let sum = 0
  return weights.map((weight) => {
    sum += weight
    return sum
  })
}

/** What stands at a place of a list. @throws when nothing does */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`There is nothing at place ${index} of ${list.length}`)
  return item
}
