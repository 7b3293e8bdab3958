import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { me } from '../session/session.ts'
import { draftPrefix } from './forget-drafts.ts'
import { askBeforeLoss, keep, read } from './storage.ts'

/** Unsaved text. */
interface Draft {
  /** the text; undefined when nothing is unsaved */
  typed: Signal<string | undefined>
  /** keeps the text, also when the page closes, the key is refused or the server is unreachable */
  type(text: string): void
  /** forgets the text, after it was saved or discarded */
  clear(): void
}

/** Makes the browser ask before the page closes with a draft that the browser could not store. */
export const guardDrafts = () => askBeforeLoss((name) => name.startsWith(draftPrefix))

/**
 * Keeps unsaved text in this tab, for this member only.
 * @param what names the draft, such as `comment.<id of the task>`
 */
export function useDraft(what: string): Draft {
  const name = `${draftPrefix}${me().member.id}.${what}`
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
