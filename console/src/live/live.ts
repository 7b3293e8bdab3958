import { type Event, PositionExpiredError, type Taskwright, UnauthorizedError } from '@taskwright/client'
import { whileSignedIn } from '../session/session.ts'
import { isLive, noteNoAnswer } from './reachable.ts'

type Listener = (event: Event) => void

const listeners = new Set<Listener>()
const missed = new Set<() => void>()

/**
 * Calls the listener for each event that the signed-in member sees, once and in order. This includes the member's own events.
 * @returns stops it
 */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls the listener when events may be missing: the view must read its data again. @returns stops it */
export function onMissed(listener: () => void): () => void {
  missed.add(listener)
  return () => void missed.delete(listener)
}

/** Follows the events of the signed-in member: one stream per page, starting at the position of the first read. */
export function followSession(): void {
  whileSignedIn(({ tw, position }) => follow(tw, position))
}

const firstPauseMs = 300
const longestPauseMs = 5_000
// longer than the 15 s between the server's heartbeats
const asleepMs = 20_000
// a browser opens at most six connections to a host for all its tabs: a hidden tab gives up its stream
const outOfSightMs = 3_000
// after this time, reading again costs less than all the events
const longAwayMs = 600_000

function follow(client: Taskwright, from: number): () => void {
  let ended = false
  let position: number | undefined = from
  let attempt = new AbortController()
  let wake = () => {}
  let hiddenAt = Date.now()
  let isAway = document.hidden
  let leaving: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    attempt.abort()
    wake()
  }
  // a response may still arrive, so only the next connection shows whether the server is reachable
  const gone = () => {
    noteNoAnswer()
    attempt.abort()
  }
  const leave = () => {
    isAway = true
    attempt.abort()
  }
  const turned = () => {
    clearTimeout(leaving)
    if (document.hidden) {
      hiddenAt = Date.now()
      leaving = setTimeout(leave, outOfSightMs)
      return
    }
    const awayMs = Date.now() - hiddenAt
    if (awayMs > longAwayMs) position = undefined
    if (!isAway && awayMs <= asleepMs) return
    isAway = false
    again()
  }
  addEventListener('online', again)
  addEventListener('offline', gone)
  document.addEventListener('visibilitychange', turned)
  void run()
  return () => {
    ended = true
    clearTimeout(leaving)
    again()
    removeEventListener('online', again)
    removeEventListener('offline', gone)
    document.removeEventListener('visibilitychange', turned)
    isLive.value = false
  }

  async function run() {
    let pauseMs = firstPauseMs
    while (!ended) {
      while (isAway && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      attempt = new AbortController()
      const { signal } = attempt
      try {
        if (position === undefined) {
          position = await latest(client, signal)
          // read after the stream's position is known, so that no event is lost between the two
          for (const listener of [...missed]) listener()
        }
        // reconnect here: the client would wait up to 30 s
        const onCut = () => attempt.abort()
        for await (const event of client.events.stream({ after: position }, { signal, retries: 0, onCut })) {
          pauseMs = firstPauseMs
          position = event.sequence
          for (const listener of [...listeners]) tellOf(event, listener)
        }
      } catch (error) {
        if (error instanceof UnauthorizedError) return
        if (error instanceof PositionExpiredError) position = undefined
      }
      isLive.value = false
      if (ended) return
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2))
      })
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    }
  }
}

/** Catches an error of one listener, so that the others still get the event. */
function tellOf(event: Event, listener: Listener): void {
  try {
    listener(event)
  } catch (error) {
    reportError(error)
  }
}

async function latest(client: Taskwright, signal: AbortSignal): Promise<number> {
  return (await client.events.getHead({ signal, retries: 0 })).latest
}
