/** Has the jobs of an organization take turns: together they take no more of the database than one of them. */
export class JobTurns {
  /** by organization, the end of the turn that is taken last */
  readonly #ends = new Map<string, Promise<void>>()

  /** Resolves when the turns before are over. @returns how to end this one */
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
