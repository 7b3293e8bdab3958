import { signal } from '@preact/signals'
import { ApiError } from '@taskwright/client'
import { session } from '../session/session.ts'
import { withRecentSignIn } from '../session/sign-in-again.ts'
import { words } from '../words.ts'
import { failureSentence, mayPass, undoFailureSentence } from './failures.ts'
import { dismiss, tell } from './notices.ts'

/** The outcome of a write. */
export type Outcome<T> = { done: true; value: T } | { done: false; error: unknown; sentence: string }

/** Options for every POST of one act: if it is sent twice with the same key, it takes effect once. */
export interface IdempotencyOption {
  idempotencyKey: string
}

interface ActOptions<T> {
  /** notice to show on success */
  said?: string
  /** adds an Undo button to the notice; without `said`, a notice of its own */
  undo?: (value: T) => PromiseLike<unknown>
  /** the caller shows failures itself, for example beside a field */
  isQuiet?: boolean
  /** the sentence for a failure */
  sentenceOf?: (error: unknown) => string
}

/** The number of writes in progress; the frame shows it. */
export const underWay = signal(0)

/**
 * Runs one write. Shows success only after the server confirmed it. Shows a failure as a notice that may offer a retry.
 * @param write gets the idempotency key; a retry sends the same key
 */
export async function act<T>(
  write: (once: IdempotencyOption) => PromiseLike<T>,
  ways: ActOptions<T> = {},
  once: IdempotencyOption = { idempotencyKey: newKey() },
): Promise<Outcome<T>> {
  const { said, undo, isQuiet = false, sentenceOf = failureSentence } = ways
  underWay.value++
  const who = memberId()
  try {
    const value = await withRecentSignIn(
      () => write(once),
      // the refusal is stored under the first key
      () => write({ idempotencyKey: newKey() }),
    )
    if (memberId() !== who) return { done: true, value }
    if (undo) offerUndo(said ?? words.notices.done, () => undo(value))
    else if (said !== undefined) tell(said)
    return { done: true, value }
  } catch (error) {
    const sentence = sentenceOf(error)
    if (!isQuiet && !isOfSession(error) && memberId() === who) {
      const again = { label: words.notices.again, run: () => void act(write, ways, once) }
      tell(sentence, { isFailure: true, action: mayPass(error) ? again : undefined })
    }
    return { done: false, error, sentence }
  } finally {
    underWay.value--
  }
}

let latestUndo: (() => void) | undefined

/** Undoes the latest act that can be undone. */
export function undoLast(): void {
  latestUndo?.()
}

function offerUndo(said: string, undo: () => PromiseLike<unknown>): void {
  const run = () => {
    latestUndo = undefined
    dismiss(id)
    void act(undo, { said: words.notices.undone, sentenceOf: undoFailureSentence })
  }
  const id = tell(said, { action: { label: words.notices.undo, run } })
  latestUndo = run
}

const memberId = () => session.peek()?.me.member.id

/** On this 401 the session already shows the sign-in page with the reason. */
const isOfSession = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized'

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
