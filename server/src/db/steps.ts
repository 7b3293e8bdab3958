/**
 * Runs the computations of one request or job a few milliseconds at a time, so that other work gets the event loop in between.
 * The computation yields wherever it can pause.
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

// the time of a page of 50 tasks
const longestMs = 2

/** Calls `act` with each item, in steps. */
export const forEachInSteps = <Item>(orgId: string, items: Iterable<Item>, act: (item: Item) => void): Promise<void> =>
  new Steps(orgId).run(oneByOne(items, act))

function* oneByOne<Item>(items: Iterable<Item>, act: (item: Item) => void): Generator<void, void> {
  for (const item of items) {
    act(item)
    yield
  }
}

// by organization, the waiting computations; the organization served last stands last
const waiting = new Map<string, (() => void)[]>()

/**
 * Resolves in a turn of the event loop with no other waiting step. Each turn has one step, and organizations alternate, however
 * much each has to do.
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
