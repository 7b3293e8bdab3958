import { useLoaded } from '../../live/loaded.ts'
import { dayIn } from '../../parts/zone.ts'
import { hrefOf } from '../../router/router.ts'
import { tw } from '../../session/session.ts'
import { spanText } from './clock.ts'
import { timesheetWords } from './timesheet-words.ts'
import { entryOf, nameOf } from './work.ts'

/** A link to the overlapping entry. */
export function Overlapped({ id, zone }: { id: string; zone: string }) {
  const include = ['task', 'subtask', 'project', 'tags'] as const
  const { value } = useLoaded(id, async (signal) => entryOf(await tw().timeEntries.get(id, { include }, { signal })))
  const entry = value.value
  if (!entry) return null
  const href = hrefOf('/timesheet', {
    ...{ week: dayIn(zone, new Date(entry.startedAt)), member: entry.memberId, entry: entry.id },
  })
  return (
    <p>
      <a href={href}>{timesheetWords.overlapped(spanText(entry, zone), nameOf(entry.work))}</a>
    </p>
  )
}
