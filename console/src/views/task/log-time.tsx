import type { TimeEntriesCreateBody } from '@taskwright/client'
import { useDraft } from '../../act/drafts.ts'
import { tell } from '../../act/notices.ts'
import { clockText, dayOf, dayText } from '../../parts/format.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { readEntries } from '../timesheet/entries.ts'
import { placed, spanOn } from '../timesheet/plan.ts'
import { timesheetWords } from '../timesheet/timesheet-words.ts'
import { readTime } from '../timesheet/typed-time.ts'
import { AddLine } from './add-line.tsx'

/** The request sent under a key. A retry must send the same one, even if its time is taken meanwhile. */
interface SentEntry {
  key: string
  body: TimeEntriesCreateBody
}

/** Logs time on a task, today or on another day, in the reader's time zone. */
export function LogTime({ taskId }: { taskId: string }) {
  const what = `task.${taskId}.time`
  // a day other than today; '' while the user types it
  const other = useDraft(`${what}.day`)
  const sent = useDraft(`${what}.sent`)
  const day = other.typed.value
  const write = async (text: string, idempotencyKey: string) => {
    // another day is another request
    const key = `${idempotencyKey}-${day ?? 'today'}`
    const before = sentIn(sent.typed.peek())
    const body = before?.key === key ? before.body : { taskId, ...(await whenOf(text, day)) }
    sent.type(JSON.stringify({ key, body } satisfies SentEntry))
    const { startedAt, endedAt } = await tw().timeEntries.create(body, { idempotencyKey: key })
    sent.clear()
    if (day === undefined) return
    if (other.typed.peek() === day) other.clear()
    tell(
      words.task.loggedOn(dayText(dayOf(new Date(startedAt))), clockText(startedAt), clockText(endedAt ?? startedAt)),
    )
  }
  return (
    <AddLine
      {...{ what, label: words.task.logTime, placeholder: timesheetWords.example, submit: words.task.log }}
      problemOf={(text) => {
        const read = readTime(text)
        return day === '' ? words.task.noWholeDay : 'problem' in read ? read.problem : ''
      }}
      write={(text, { idempotencyKey }) => write(text, idempotencyKey)}
    >
      <input
        type="date"
        aria-label={words.task.logDay}
        value={day ?? dayOf(new Date())}
        onInput={({ currentTarget: { value } }) => (value === dayOf(new Date()) ? other.clear() : other.type(value))}
        onBlur={() => other.typed.peek() === '' && other.clear()}
      />
    </AddLine>
  )
}

/** The start and end of a new entry. A duration alone ends now, or comes after the entries of another day. */
async function whenOf(text: string, other: string | undefined) {
  const read = readTime(text)
  if ('problem' in read) throw new Error(read.problem)
  const now = new Date()
  const day = other ?? dayOf(now)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if ('from' in read) return spanOn(zone, day, read)
  const { seconds } = read
  if (day === dayOf(now))
    return { startedAt: new Date(now.getTime() - seconds * 1_000).toISOString(), durationSeconds: seconds }
  const own = await readEntries({ memberId: me().member.id, start: day, zone }, -1)
  const when = placed(seconds, day, zone, own)
  if (when === undefined) throw new Error(timesheetWords.problems.noRoom)
  return when
}

function sentIn(kept: string | undefined): SentEntry | undefined {
  try {
    return kept === undefined ? undefined : JSON.parse(kept)
  } catch {
    return undefined
  }
}
