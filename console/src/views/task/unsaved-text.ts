import { type ReadonlySignal, useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useDraft } from '../../act/drafts.ts'

/** Unsaved text, with the data to save it as the user meant it. */
interface UnsavedText {
  text: string
  /** the idempotency key, kept in case the page closes before the response */
  once: string
  /** the value at the start */
  base?: Base<string> | undefined
}

/** The version of a value before the edit. */
export interface Base<V> {
  version: number
  value: V
}

export interface TypedField {
  now: ReadonlySignal<UnsavedText | undefined>
  /** keeps the text. @param base the value at the start of an edit */
  type(text: string, base?: Base<string>): void
  clear(): void
}

/** Keeps text in this tab until it is saved or discarded. @param what see useDraft */
export function useTyped(what: string): TypedField {
  const draft = useDraft(what)
  const now = useComputed(() => parsed(draft.typed.value))
  return useMemo(
    () => ({
      now,
      type(text, base = now.peek()?.base) {
        // changed content is a new request and needs a new key
        const once = crypto.getRandomValues(new Uint32Array(4)).join('-')
        draft.type(JSON.stringify({ text, once, base } satisfies UnsavedText))
      },
      clear: draft.clear,
    }),
    [draft],
  )
}

function parsed(kept: string | undefined): UnsavedText | undefined {
  try {
    return kept === undefined ? undefined : JSON.parse(kept)
  } catch {
    return undefined
  }
}
