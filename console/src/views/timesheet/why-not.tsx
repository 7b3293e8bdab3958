import { failureSentence } from '../../act/failures.ts'
import { Overlapped } from './overlapped.tsx'
import { overlappedBy } from './sheet.ts'

/** Why the server refused time, and the entry that is in the way. */
export function WhyNot({ error, zone }: { error: unknown; zone: string }) {
  const other = overlappedBy(error)
  return (
    <div class="ts-why">
      <p class="failure" role="alert">
        {error === undefined ? '' : failureSentence(error)}
      </p>
      {other && <Overlapped id={other} zone={zone} />}
    </div>
  )
}
