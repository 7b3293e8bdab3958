import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Repeatable random choices: the same seed gives the same choices on every machine. */
export interface Random {
  /** from 0 up to, but without, 1 */
  fraction(): number
  /** a whole number from `min` to `max`, both included */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
  /** a random index of a list of running sums, weighted by the rise at each index */
  place(sums: readonly number[]): number
  shuffled<Item>(list: readonly Item[]): Item[]
}

/** Creates a generator. @param seed a whole number; only its lowest 32 bits count */
export function randomFrom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  // skip the first numbers: they still resemble the seed
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

/** The running sums of a list, for `place`. */
export function sumsOf(weights: readonly number[]): number[] {
  let sum = 0
  return weights.map((weight) => {
    sum += weight
    return sum
  })
}

/** The item at an index of a list. @throws RangeError if there is none */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`There is nothing at place ${index} of ${list.length}`)
  return item
}
