import { readFailureSentence } from '../act/failures.ts'
import { words } from '../words.ts'

/** Why something could not be read, and a way to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div class="failed" role="alert">
      <p>{readFailureSentence(error)}</p>
      <button type="button" onClick={onRetry}>
        {words.frame.retry}
      </button>
    </div>
  )
}
