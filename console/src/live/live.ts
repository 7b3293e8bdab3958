import { type Event, PositionExpiredError, type Taskwright, UnauthorizedError } from '@taskwright/client'
import { whileSignedIn } from '../session/session.ts'
import { isLive, noteNoAnswer } from './reachable.ts'

type Listener = (event: Event) => void

const listeners = new Set<Listener>()
const missed = new Set<() => void>()

/**
 * Tells of every event of the organization that the signed-in member sees, own ones included, each once and in order.
 * @returns ends it
 */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells when events may have been missed, so that what is shown must be read anew. @returns ends it */
export function onMissed(listener: () => void): () => void {
  missed.add(listener)
  return () => void missed.delete(listener)
}

/** Follows the events of whoever is signed in: one stream for the page, from the position on that was read first. */
export function followSession(): void {
  whileSignedIn(({ tw, position }) => follow(tw, position))
}

const firstPauseMs = 300
const longestPauseMs = 5_000
// longer than the 15 s after which the server gives a sign of life
const asleepMs = 20_000
// a browser has six connections to a host for all its tabs: one that nobody looks at leaves them to the others
const outOfSightMs = 3_000
// to read anew is less than all that happened since
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
  // an answer that was on its way may still come: whether the server is there shows whoever connects anew
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
          // behind that: nothing lies between what is read now and what comes
          for (const listener of [...missed]) listener()
        }
        // it connects anew here, and not after up to 30 s
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

/** What one listener stumbles over is kept from none of the others. */
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
