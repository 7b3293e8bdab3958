import { effect, type Signal, useSignal } from '@preact/signals'
import type { Event } from '@taskwright/client'
import { useEffect, useMemo } from 'preact/hooks'
import { mayPass } from '../act/failures.ts'
import { onEvent, onMissed } from './live.ts'
import { isLive } from './reachable.ts'

/** Server data that a view shows and keeps current. */
export interface Loaded<T> {
  /** the latest value; it stays while a new read runs */
  value: Signal<T | undefined>
  /** the error of the latest read */
  error: Signal<unknown>
  isLoading: Signal<boolean>
  /** reads the data again */
  reload(): void
  /**
   * Applies a known change, such as the response to a write. An event may have brought a later version: compare with `isNewer`
   * or `without`.
   */
  change(made: (now: T) => T): void
}

/**
 * The effect of an event on the value: the new value, `'again'` to read it again, or undefined for no effect. Events may
 * repeat, or may be older than the value: compare with `isNewer`.
 */
type Reaction<T> = (event: Event, now: T) => T | 'again' | undefined

// several events within this time cause one read
const togetherMs = 120

/**
 * Reads data for a view and keeps it current.
 * @param key names the data: when the key changes, the old value is dropped
 */
export function useLoaded<T>(
  key: string,
  read: (signal: AbortSignal) => PromiseLike<T>,
  react: Reaction<T> = () => undefined,
): Loaded<T> {
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const isLoading = useSignal(true)
  // the latest functions of the view, which see its latest state
  const current = useMemo(() => ({ read, react }), [])
  Object.assign(current, { read, react })
  const loading = useMemo(() => loader(current, { value, error, isLoading }), [])
  useEffect(() => loading.begin(), [key])
  return { value, error, isLoading, reload: loading.reload, change: loading.change }
}

interface LoadedSignals<T> {
  value: Signal<T | undefined>
  error: Signal<unknown>
  isLoading: Signal<boolean>
}

interface Functions<T> {
  read: (signal: AbortSignal) => PromiseLike<T>
  react: Reaction<T>
}

function loader<T>(current: Functions<T>, { value, error, isLoading }: LoadedSignals<T>) {
  let attempt: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  // events that arrived during the read: the read may be older than they are
  let meanwhile: Event[] = []

  return {
    begin() {
      value.value = undefined
      void load()
      const ends = [onEvent(heard), onMissed(load), effect(readOnceBack)]
      return () => {
        for (const end of ends) end()
        attempt?.abort()
        clearTimeout(timer)
        timer = undefined
      }
    },
    reload: load,
    change(made: (now: T) => T) {
      if (value.value !== undefined) value.value = made(value.value)
    },
  }

  /** Repeats a failed read when the server is reachable again. */
  function readOnceBack() {
    if (isLive.value && mayPass(error.peek())) void load()
  }

  function heard(event: Event) {
    if (attempt) meanwhile.push(event)
    if (value.value !== undefined) apply(event, value.value)
  }

  function apply(event: Event, now: T) {
    const next = current.react(event, now)
    // finish the current read: with many changes, restarting it would never end
    if (next === 'again' && !attempt) timer ??= setTimeout(load, togetherMs)
    else if (next !== undefined && next !== 'again') value.value = next
  }

  async function load() {
    clearTimeout(timer)
    timer = undefined
    attempt?.abort()
    const mine = new AbortController()
    attempt = mine
    meanwhile = []
    isLoading.value = true
    try {
      const read = await current.read(mine.signal)
      if (mine.signal.aborted) return
      value.value = read
      error.value = undefined
      const behind = meanwhile
      attempt = undefined
      for (const event of behind) if (value.value !== undefined) apply(event, value.value)
    } catch (reason) {
      if (mine.signal.aborted) return
      error.value = reason
      attempt = undefined
    }
    isLoading.value = false
  }
}
