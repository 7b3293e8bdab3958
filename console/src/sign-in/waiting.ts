import { useSignal } from '@preact/signals'
import { ValidationFailedError } from '@taskwright/client'
import { failureSentence } from '../act/failures.ts'

/** A request of a page before the shell: whether it runs, and why it failed. */
export function useWaiting() {
  const isBusy = useSignal(false)
  const failure = useSignal('')
  return {
    isBusy: isBusy.value,
    failure: failure.value,
    fail(sentence: string) {
      failure.value = sentence
    },
    /** runs one request at a time @returns whether it succeeded */
    async run(work: () => Promise<unknown>): Promise<boolean> {
      if (isBusy.peek()) return false
      isBusy.value = true
      failure.value = ''
      try {
        await work()
        return true
      } catch (error) {
        failure.value = sentenceOf(error)
        return false
      } finally {
        isBusy.value = false
      }
    },
  }
}

// these forms have one field that the server can refuse: its name would say nothing
const sentenceOf = (error: unknown): string =>
  error instanceof ValidationFailedError
    ? [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
    : failureSentence(error)
