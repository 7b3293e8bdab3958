import { failureOf, isDatabaseError, isPoolTimeout } from './failures.ts'

interface WatchedConnection {
  /** how long a result has been awaited; 0 if none is */
  waitedMs: () => number
  /** asks on another connection whether the database works on the statement */
  isAtWork: () => Promise<boolean>
  /** called when no result will come */
  onSilent: () => void
  /** time without a result after which to ask */
  askAfterMs: number
}

/**
 * Detects that the result of a long statement will not come: the database no longer works on it, or it responds to nobody.
 * @returns function that ends the watch
 */
export function watchForSilence({ waitedMs, isAtWork, onSilent, askAfterMs }: WatchedConnection): () => void {
  let [ended, suspect] = [false, false]
  let next = setTimeout(look, askAfterMs)
  return () => {
    ended = true
    clearTimeout(next)
  }

  async function look() {
    const beforeMs = waitedMs()
    if (beforeMs < askAfterMs) return lookAgain(askAfterMs - beforeMs)
    const found = await isAtWork().then((atWork) => (atWork ? 'at work' : 'idle'), howItFailed)
    if (ended) return
    // a result came in the meantime
    if (found === 'at work' || waitedMs() < beforeMs) return lookAgain(askAfterMs)
    if (found === 'silent' || suspect) return onSilent()
    lookAgain(askAfterMs / 8)
    // ask once more: the result may be on its way
    suspect = true
  }

  function lookAgain(inMs: number) {
    suspect = false
    next = setTimeout(look, inMs)
  }
}

/** If the connections are crowded, or the database refused the question, the statement may well be running. */
const howItFailed = (error: unknown): 'silent' | 'at work' =>
  failureOf(error) === 'unavailable' && !isDatabaseError(error) && !isPoolTimeout(error) ? 'silent' : 'at work'
