import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { me } from '../session/session.ts'
import { askBeforeLoss, keep, read } from './storage.ts'

/** What somebody typed and has not saved. */
interface Draft {
  /** what was typed; undefined when nothing is unsaved */
  typed: Signal<string | undefined>
  /** keeps what was typed, also when the page is closed, the key is refused or the server is gone */
  type(text: string): void
  /** forgets it, once it is saved or given up */
  clear(): void
}

const prefix = 'taskwright.draft.'

/** Has the browser ask before a draft is lost that it does not keep. */
export const guardDrafts = () => askBeforeLoss((name) => name.startsWith(prefix))

/**
 * Keeps what somebody types in this tab until it is saved, for the same member alone.
 * @param what names it, such as `comment.<id of the task>`
 */
export function useDraft(what: string): Draft {
  const name = `${prefix}${me().member.id}.${what}`
  const draft = useMemo(() => draftOf(name), [name])
  useEffect(() => draft.take(), [draft])
  return draft
}

function draftOf(name: string) {
  const typed = signal<string | undefined>(read('tab', name))
  return {
    typed,
    take() {
      typed.value = read('tab', name)
    },
    type(text: string) {
      typed.value = text
      keep('tab', name, text)
    },
    clear() {
      typed.value = undefined
      keep('tab', name, undefined)
    },
  }
}
