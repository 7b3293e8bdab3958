import { failureOf, isSaidByDatabase, isWaitForConnection } from './failures.ts'

interface Watched {
  /** how long an answer has been waited for; 0 where none is */
  waitedMs: () => number
  /** asks on another connection whether the database is at work on it */
  isAtWork: () => Promise<boolean>
  /** called when no answer will come */
  onSilent: () => void
  /** after how long without an answer that is asked */
  askAfterMs: number
}

/**
 * Notices that an answer will not come, of statements that may take long: the database is no longer at work on them, or
 * answers nobody else either.
 * @returns what ends the watch
 */
export function watchForSilence({ waitedMs, isAtWork, onSilent, askAfterMs }: Watched): () => void {
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
    // an answer came meanwhile
    if (found === 'at work' || waitedMs() < beforeMs) return lookAgain(askAfterMs)
    if (found === 'silent' || suspect) return onSilent()
    lookAgain(askAfterMs / 8)
    // not at once: the answer may be on its way
    suspect = true
  }

  function lookAgain(inMs: number) {
    suspect = false
    next = setTimeout(look, inMs)
  }
}

/** Where others crowd the connections, or the statement was refused, nobody knows: it may well be at work. */
const howItFailed = (error: unknown): 'silent' | 'at work' =>
  failureOf(error) === 'unavailable' && !isSaidByDatabase(error) && !isWaitForConnection(error) ? 'silent' : 'at work'
