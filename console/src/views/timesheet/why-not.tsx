import { failureSentence } from '../../act/failures.ts'
import { Overlapped } from './overlapped.tsx'
import { overlappedBy } from './sheet.ts'

/** The reason why the server refused a time entry, with a link to the overlapping one. */
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
