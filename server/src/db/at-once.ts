/** Runs a generator to its end without pauses, where nobody waits. @returns its result */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
