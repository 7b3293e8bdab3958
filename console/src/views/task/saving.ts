import { type ReadonlySignal, useSignal } from '@preact/signals'
import { PreconditionFailedError } from '@taskwright/client'
import { useRef } from 'preact/hooks'
import { act } from '../../act/act.ts'
import { unlessOthersChanged } from '../../act/unless-changed.ts'
import type { Base } from './unsaved-text.ts'

/** One editable value of a versioned resource. */
interface EditedValue<T extends { version: number }, V> {
  id: string
  /** reads the current version */
  read(): PromiseLike<T>
  write(value: V, ifMatch: string): PromiseLike<T>
  valueIn(item: T): V
  /** applies a read or written version */
  take(item: T): void | Promise<void>
}

/** A save and its state. */
export interface SaveState<V> {
  state: ReadonlySignal<State<V>>
  /** @returns whether the server saved it */
  save(value: V, base: Base<V>): Promise<boolean>
  /** saves the value over the other one */
  keepMine(): Promise<boolean>
  /** clears the failure */
  settle(): void
}

interface State<V> {
  isBusy: boolean
  /** the value that was not saved */
  wanted?: V
  /** the reason, as a sentence */
  sentence?: string
  /** the value of somebody else */
  theirs?: Base<V>
}

// each attempt means that somebody else changed another field first
const mostAttempts = 5

/**
 * Saves a value over the version that was read. If others changed only other fields, it saves over their version. If they
 * changed the same field, it keeps both values, and the user chooses.
 */
export function useSaving<T extends { version: number }, V>(edited: EditedValue<T, V>): SaveState<V> {
  const state = useSignal<State<V>>({ isBusy: false })
  const last = useRef(edited)
  last.current = edited
  const save = async (value: V, base: Base<V>): Promise<boolean> => {
    state.value = { isBusy: true, wanted: value }
    state.value = await attempt(last.current, value, base)
    return state.value.wanted === undefined
  }
  return {
    state,
    save,
    async keepMine() {
      const { wanted, theirs } = state.peek()
      return wanted === undefined || theirs === undefined ? true : save(wanted, theirs)
    },
    settle() {
      state.value = { isBusy: false }
    },
  }
}

async function attempt<T extends { version: number }, V>(
  { id, read, write, valueIn, take }: EditedValue<T, V>,
  value: V,
  base: Base<V>,
): Promise<State<V>> {
  for (let over = base, n = 0; ; n++) {
    const { ifMatch } = unlessOthersChanged({ id, version: over.version })
    const written = await act(() => write(value, ifMatch), { isQuiet: true })
    if (written.done) {
      await take(written.value)
      return { isBusy: false }
    }
    const failed = { isBusy: false, wanted: value, sentence: written.sentence }
    if (!(written.error instanceof PreconditionFailedError) || written.error.code !== 'etag_mismatch') return failed
    const found = await act(read, { isQuiet: true })
    if (!found.done) return { ...failed, sentence: found.sentence }
    await take(found.value)
    const theirs = { version: found.value.version, value: valueIn(found.value) }
    // the write took effect but its response was lost, or somebody else set the same value
    if (isSame(theirs.value, value)) return { isBusy: false }
    if (!isSame(theirs.value, base.value)) return { isBusy: false, wanted: value, theirs }
    if (n + 1 >= mostAttempts) return failed
    over = theirs
  }
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
