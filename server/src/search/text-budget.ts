import { nextStep } from './steps.ts'

/** Texts of a thing: its name, its description. */
type Texts = readonly (string | null)[]

/**
 * How much text one request looks through in the event loop: some at a time, so that others come in between, and so much in all.
 */
export class TextBudget {
  readonly #orgId: string
  #sinceStep = 0
  #all = 0

  constructor(orgId: string) {
    this.#orgId = orgId
  }

  /** Waits until these may be looked through, where they are long or many were before them. */
  async wait(texts: Texts): Promise<void> {
    const bytes = bytesOf(texts)
    this.#sinceStep += bytes
    if (this.#sinceStep <= mostAtOnce) return
    await nextStep(this.#orgId)
    this.#sinceStep = bytes
  }

  /** The same of what is counted. @returns whether that was not too much yet */
  async take(texts: Texts): Promise<boolean> {
    this.#all += bytesOf(texts)
    await this.wait(texts)
    return this.#all <= mostInAll
  }
}

// of usual texts it is a page
const mostAtOnce = 16_384
// fifty of the longest texts, in ASCII
const mostInAll = 2_500_000

const bytesOf = (texts: Texts) => texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
