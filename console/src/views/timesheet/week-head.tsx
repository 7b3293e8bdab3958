import { useCommands } from '../../frame/shortcuts.ts'
import { dayAfter, isDay } from '../../parts/zone.ts'
import { hrefWith, setQuery } from '../../router/router.ts'
import { words } from '../../words.ts'
import { rangeText } from './day-names.ts'
import { MemberSwitch } from './member-switch.tsx'

interface WeekHeadProps {
  start: string
  today: string
  memberId: string
}

/** The week and the member, with links to others. */
export function WeekHead({ start, today, memberId }: WeekHeadProps) {
  const show = (week: string | undefined) => setQuery({ week }, { replace: false })
  useCommands(words.views.timesheet, [
    { label: words.timesheet.previous, keys: '[', run: () => show(dayAfter(start, -7)) },
    { label: words.timesheet.next, keys: ']', run: () => show(dayAfter(start, 7)) },
    { label: words.timesheet.thisWeek, keys: 't', run: () => show(undefined) },
  ])
  return (
    <header class="view-head">
      <h1>{words.views.timesheet}</h1>
      <nav class="ts-weeks" aria-label={words.timesheet.weeks}>
        <a class="ts-step" href={hrefWith({ week: dayAfter(start, -7) })} aria-label={words.timesheet.previous}>
          ‹
        </a>
        <span class="ts-range" role="status">
          {rangeText(start)}
        </span>
        <a class="ts-step" href={hrefWith({ week: dayAfter(start, 7) })} aria-label={words.timesheet.next}>
          ›
        </a>
        {(today < start || today >= dayAfter(start, 7)) && (
          <a href={hrefWith({ week: undefined })}>{words.timesheet.thisWeek}</a>
        )}
      </nav>
      <input
        type="date"
        class="ts-date"
        aria-label={words.timesheet.weekWith}
        value={start}
        onChange={({ currentTarget: { value } }) => isDay(value) && show(value)}
      />
      <MemberSwitch memberId={memberId} />
    </header>
  )
}
