/**
 * What one request, or job, computes by itself in the event loop: a few milliseconds at a time, so that others come in between. The
 * work says where it may be left.
 */
export class Steps {
  readonly #orgId: string
  #spentMs = 0

  constructor(orgId: string) {
    this.#orgId = orgId
  }

  async run<T>(work: Generator<void, T>): Promise<T> {
    for (;;) {
      const beganMs = performance.now()
      const untilMs = beganMs + longestMs - this.#spentMs
      let state = work.next()
      while (!state.done && performance.now() < untilMs) state = work.next()
      this.#spentMs += performance.now() - beganMs
      if (this.#spentMs >= longestMs) {
        await nextStep(this.#orgId)
        this.#spentMs = 0
      }
      if (state.done) return state.value
    }
  }
}

// as a page of 50 tasks takes
const longestMs = 2

/** Does something with each of many. */
export const forEachInSteps = <Item>(orgId: string, items: Iterable<Item>, act: (item: Item) => void): Promise<void> =>
  new Steps(orgId).run(oneByOne(items, act))

function* oneByOne<Item>(items: Iterable<Item>, act: (item: Item) => void): Generator<void, void> {
  for (const item of items) {
    act(item)
    yield
  }
}

// by organization, what goes on in a turn of its own; who was last had one stands last
const waiting = new Map<string, (() => void)[]>()

/**
 * Resolves in a turn of the event loop in which nothing else goes on that waited so: there is one step in each turn, of the
 * organizations one after the other, however much each has to do.
 */
export function nextStep(orgId: string): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(orgId)
    if (own) return void own.push(resolve)
    if (waiting.size === 0) setImmediate(goOn)
    waiting.set(orgId, [resolve])
  })
}

function goOn(): void {
  const [first] = waiting
  if (first === undefined) return
  const [orgId, own] = first
  const next = own.shift()
  waiting.delete(orgId)
  if (own.length > 0) waiting.set(orgId, own)
  if (waiting.size > 0) setImmediate(goOn)
  next?.()
}
