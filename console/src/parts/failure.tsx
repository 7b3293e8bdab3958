import { readFailureSentence } from '../act/failures.ts'
import { words } from '../words.ts'

/** Shows why a read failed, with a Retry button. */
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
