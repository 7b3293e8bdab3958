import { useCommands } from '../../frame/shortcuts.ts'
import { dayAfter, isDay } from '../../parts/zone.ts'
import { hrefWith, setQuery } from '../../router/router.ts'
import { words } from '../../words.ts'
import { rangeText } from './day-names.ts'
import { MemberSwitch } from './member-switch.tsx'
import { timesheetWords } from './timesheet-words.ts'

interface WeekHeadProps {
  start: string
  today: string
  memberId: string
}

/** The week and the member, with links to others. */
export function WeekHead({ start, today, memberId }: WeekHeadProps) {
  const show = (week: string | undefined) => setQuery({ week }, { replace: false })
  useCommands(words.views.timesheet, [
    { label: timesheetWords.previous, keys: '[', run: () => show(dayAfter(start, -7)) },
    { label: timesheetWords.next, keys: ']', run: () => show(dayAfter(start, 7)) },
    { label: timesheetWords.thisWeek, keys: 't', run: () => show(undefined) },
  ])
  return (
    <header class="view-head">
      <h1>{words.views.timesheet}</h1>
      <nav class="ts-weeks" aria-label={timesheetWords.weeks}>
        <a class="ts-step" href={hrefWith({ week: dayAfter(start, -7) })} aria-label={timesheetWords.previous}>
          ‹
        </a>
        <span class="ts-range" role="status">
          {rangeText(start)}
        </span>
        <a class="ts-step" href={hrefWith({ week: dayAfter(start, 7) })} aria-label={timesheetWords.next}>
          ›
        </a>
        {(today < start || today >= dayAfter(start, 7)) && (
          <a href={hrefWith({ week: undefined })}>{timesheetWords.thisWeek}</a>
        )}
      </nav>
      <input
        type="date"
        class="ts-date"
        aria-label={timesheetWords.weekWith}
        value={start}
        onChange={({ currentTarget: { value } }) => isDay(value) && show(value)}
      />
      <MemberSwitch memberId={memberId} />
    </header>
  )
}
