import { signal } from '@preact/signals'
import { ApiError } from '@taskwright/client'
import { session } from '../session/session.ts'
import { words } from '../words.ts'
import { failureSentence, mayPass, undoFailureSentence } from './failures.ts'
import { dismiss, tell } from './notices.ts'

/** What came of a write. */
export type Outcome<T> = { done: true; value: T } | { done: false; error: unknown; sentence: string }

/** With each POST of one act: sent again under it, it takes effect once. */
export interface Once {
  idempotencyKey: string
}

interface Ways<T> {
  /** told when it is done */
  said?: string
  /** told beside `said`, or by itself, to take it back */
  undo?: (value: T) => PromiseLike<unknown>
  /** whether the caller shows a failure itself, as beside a field */
  isQuiet?: boolean
  /** says why it failed */
  sentenceOf?: (error: unknown) => string
}

/** How many writes are under way: the frame shows it. */
export const underWay = signal(0)

/**
 * Does one write. Nothing is shown as done before the server says so; what fails is told in a sentence and may be tried again.
 * @param write is given the key under which a POST takes effect once, also when it is tried again
 */
export async function act<T>(
  write: (once: Once) => PromiseLike<T>,
  ways: Ways<T> = {},
  once: Once = { idempotencyKey: newKey() },
): Promise<Outcome<T>> {
  const { said, undo, isQuiet = false, sentenceOf = failureSentence } = ways
  underWay.value++
  const who = memberId()
  try {
    const value = await write(once)
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

/** Takes back what was done last, when that can be. */
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

/** Whether the way back to the first page is told already. */
const isOfSession = (error: unknown) => error instanceof ApiError && error.status === 401

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
