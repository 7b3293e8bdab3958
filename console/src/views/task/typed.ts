import { type ReadonlySignal, useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useDraft } from '../../act/drafts.ts'

/** What somebody typed and has not saved, with what it takes to save it as it was meant. */
interface Unsaved {
  text: string
  /** under which it takes effect once, also when the page was closed before an answer came */
  once: string
  /** what it began with */
  base?: Base<string> | undefined
}

/** What was read of something before it was changed. */
export interface Base<V> {
  version: number
  value: V
}

export interface Typed {
  now: ReadonlySignal<Unsaved | undefined>
  /** keeps what was typed. @param base what it began with, where it changes something */
  type(text: string, base?: Base<string>): void
  clear(): void
}

/** Keeps what somebody types in this tab until it is saved or given up. @param what see useDraft */
export function useTyped(what: string): Typed {
  const draft = useDraft(what)
  const now = useComputed(() => parsed(draft.typed.value))
  return useMemo(
    () => ({
      now,
      type(text, base = now.peek()?.base) {
        // other content is another request
        const once = crypto.getRandomValues(new Uint32Array(4)).join('-')
        draft.type(JSON.stringify({ text, once, base } satisfies Unsaved))
      },
      clear: draft.clear,
    }),
    [draft],
  )
}

function parsed(kept: string | undefined): Unsaved | undefined {
  try {
    return kept === undefined ? undefined : JSON.parse(kept)
  } catch {
    return undefined
  }
}
