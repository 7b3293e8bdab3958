import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { me } from '../session/session.ts'

/** What somebody typed and has not saved. */
export interface Draft {
  /** what was typed; undefined when nothing is unsaved */
  typed: Signal<string | undefined>
  /** keeps what was typed, also when the page is closed, the key is refused or the server is gone */
  type(text: string): void
  /** forgets it, once it is saved or given up */
  clear(): void
}

/**
 * Keeps what somebody types in this tab until it is saved, for the same member alone.
 * @param what names it, such as `comment.<id of the task>`
 */
export function useDraft(what: string): Draft {
  const name = `taskwright.draft.${me().member.id}.${what}`
  const draft = useMemo(() => draftOf(name), [name])
  useEffect(() => draft.take(), [draft])
  return draft
}

function draftOf(name: string) {
  const typed = signal<string | undefined>(read(name))
  return {
    typed,
    take() {
      typed.value = read(name)
    },
    type(text: string) {
      typed.value = text
      keep(name, text)
    },
    clear() {
      typed.value = undefined
      keep(name, undefined)
    },
  }
}

function read(name: string): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

function keep(name: string, text: string | undefined) {
  try {
    if (text === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // where storage is forbidden or full it lives as long as the page
  }
}
