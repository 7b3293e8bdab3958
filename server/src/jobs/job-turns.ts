/** Lets the jobs of an organization take turns: together they load the database no more than one job does. */
export class JobTurns {
  /** by organization, the end of the last turn in its queue */
  readonly #ends = new Map<string, Promise<void>>()

  /** Waits for the turns before this one. @returns function that ends this turn */
  async begin(orgId: string): Promise<() => void> {
    const before = this.#ends.get(orgId)
    let resolve = () => {}
    const ended = new Promise<void>((done) => {
      resolve = done
    })
    this.#ends.set(orgId, ended)
    await before
    return () => {
      if (this.#ends.get(orgId) === ended) this.#ends.delete(orgId)
      resolve()
    }
  }
}
