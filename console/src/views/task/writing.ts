import { type ReadonlySignal, useSignal } from '@preact/signals'
import { ApiError } from '@taskwright/client'
import { act, type IdempotencyOption, type Outcome } from '../../act/act.ts'
import { type TypedField, useTyped } from './unsaved-text.ts'

/** New text. It stays until the server accepts it, and retries create it only once. */
interface NewItemDraft {
  typed: TypedField
  isBusy: ReadonlySignal<boolean>
  /** the reason for a refusal */
  sentence: ReadonlySignal<string>
  send<T>(write: (text: string, once: IdempotencyOption) => PromiseLike<T>): Promise<Outcome<T> | undefined>
}

/** @param what names the draft */
export function useWriting(what: string): NewItemDraft {
  const typed = useTyped(what)
  const isBusy = useSignal(false)
  const sentence = useSignal('')
  /** Keeps text that the user typed while the request was running. */
  const keepRest = (sent: string) => {
    const text = typed.now.peek()?.text ?? ''
    const rest = text.startsWith(sent) ? text.slice(sent.length).trimStart() : text
    if (rest === '') typed.clear()
    else typed.type(rest)
  }
  return {
    ...{ typed, isBusy, sentence },
    async send(write) {
      const unsaved = typed.now.peek()
      if (unsaved === undefined || unsaved.text.trim() === '' || isBusy.peek()) return undefined
      isBusy.value = true
      const once = { idempotencyKey: unsaved.once }
      const outcome = await act(() => write(unsaved.text.trim(), once), { isQuiet: true }, once)
      isBusy.value = false
      sentence.value = outcome.done ? '' : outcome.sentence
      if (outcome.done) keepRest(unsaved.text)
      // the server would replay a refusal under the same key
      else if (outcome.error instanceof ApiError && outcome.error.status < 500)
        typed.type(typed.now.peek()?.text ?? unsaved.text)
      return outcome
    },
  }
}
