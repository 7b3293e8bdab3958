import type { Answered } from './connection.ts'

/** A promise of the response data. `withResponse()` also gives its status, headers and ETag. */
export class Answer<T> implements Promise<T> {
  readonly #answered: Promise<Answered<T>>
  readonly [Symbol.toStringTag] = 'Answer'

  constructor(answered: Promise<Answered<T>>) {
    this.#answered = answered
  }

  /** The data with the status, headers and ETag of the response. */
  withResponse(): Promise<Answered<T>> {
    return this.#answered
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<One = T, Other = never>(
    fulfilled?: ((data: T) => One | PromiseLike<One>) | null,
    rejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    return this.#answered.then(({ data }) => data).then(fulfilled, rejected)
  }

  catch<Other = never>(rejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null): Promise<T | Other> {
    return this.then(undefined, rejected)
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled)
  }
}
