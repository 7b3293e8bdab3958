import { effect, type Signal, useSignal } from '@preact/signals'
import type { Event } from '@taskwright/client'
import { useEffect, useMemo } from 'preact/hooks'
import { mayPass } from '../act/failures.ts'
import { onEvent, onMissed } from './live.ts'
import { isLive } from './reachable.ts'

/** What a view shows of the server, and how it is brought up to date. */
export interface Loaded<T> {
  /** what was read last; it stays while it is read anew */
  value: Signal<T | undefined>
  /** why it could not be read */
  error: Signal<unknown>
  isLoading: Signal<boolean>
  /** reads it anew */
  reload(): void
  /**
   * Takes over what is known to have changed, such as the answer to a write. An event may have told of something later: compare
   * with `isNewer` or `without`.
   */
  change(made: (now: T) => T): void
}

/**
 * What an event means for what is shown: what it becomes, `'again'` when it must be read anew, undefined when nothing. Events
 * may come twice, and of what was read already: compare with `isNewer`.
 */
type Reaction<T> = (event: Event, now: T) => T | 'again' | undefined

// what many events ask for is read once
const togetherMs = 120

/**
 * Reads something for a view, and keeps it as it is on the server.
 * @param key what is read: another key, another reading, and what was shown is forgotten
 */
export function useLoaded<T>(
  key: string,
  read: (signal: AbortSignal) => PromiseLike<T>,
  react: Reaction<T> = () => undefined,
): Loaded<T> {
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const isLoading = useSignal(true)
  // the latest of the view's functions, which see its latest state
  const current = useMemo(() => ({ read, react }), [])
  Object.assign(current, { read, react })
  const loading = useMemo(() => loader(current, { value, error, isLoading }), [])
  useEffect(() => loading.begin(), [key])
  return { value, error, isLoading, reload: loading.reload, change: loading.change }
}

interface Shown<T> {
  value: Signal<T | undefined>
  error: Signal<unknown>
  isLoading: Signal<boolean>
}

interface Functions<T> {
  read: (signal: AbortSignal) => PromiseLike<T>
  react: Reaction<T>
}

function loader<T>(current: Functions<T>, { value, error, isLoading }: Shown<T>) {
  let attempt: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  // what happened while it was read: it may have been read before that
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

  /** The server is back: what it did not answer is asked again. */
  function readOnceBack() {
    if (isLive.value && mayPass(error.peek())) void load()
  }

  function heard(event: Event) {
    if (attempt) meanwhile.push(event)
    if (value.value !== undefined) apply(event, value.value)
  }

  function apply(event: Event, now: T) {
    const next = current.react(event, now)
    // what is being read is read to its end: where many change something, another reading would never get there
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
