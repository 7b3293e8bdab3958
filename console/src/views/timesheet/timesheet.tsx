import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Failure } from '../../parts/failure.tsx'
import { dayAfter, dayIn, isDay, weekOf } from '../../parts/zone.ts'
import { query, setQuery } from '../../router/router.ts'
import { whyNotLead, whyNotWorkIn } from '../../session/may.ts'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'
import { AddWork } from './add-work.tsx'
import { Chosen } from './chosen.tsx'
import { useEntries, type Week } from './entries.ts'
import { EntriesDialog } from './entries-dialog.tsx'
import { Grid } from './grid.tsx'
import { now, useClock } from './now.ts'
import type { Cell } from './plan.ts'
import { rowsOf } from './rows.ts'
import { cellId, useSheet } from './sheet.ts'
import { timesheetWords } from './timesheet-words.ts'
import { WeekHead } from './week-head.tsx'
import type { WorkItem } from './work.ts'
import { ZoneHint } from './zone-hint.tsx'

/** A week of a member: a row for each task, a column for each day. */
export default function Timesheet() {
  const { organization, member } = me()
  const { timezone: zone, weekStart, settings } = organization
  const today = useComputed(() => dayIn(zone, new Date(now.value))).value
  const asked = query('week')
  const start = weekOf(isDay(asked) ? asked : today, weekStart)
  const week: Week = { memberId: query('member') || member.id, start, zone }
  const sheet = useSheet(week)
  const loaded = useEntries(week, sheet.works)
  sheet.follow(loaded)
  const entries = loaded.value.value
  const error = loaded.error.value
  const days = Array.from({ length: 7 }, (_, place) => dayAfter(start, place))
  const rows = entries && rowsOf(entries, sheet.works, days, zone)
  const opened = useSignal<Cell | undefined>(undefined)
  const open = (cell: Cell) => {
    opened.value = cell
  }
  const { timeLockedBefore } = settings
  const isOwn = week.memberId === member.id
  const whyNot = ({ projectId }: WorkItem) => (isOwn ? whyNotWorkIn(projectId) : whyNotLead(projectId))
  const asks = query('entry')
  const named = entries?.find(({ id }) => id === asks)
  useEffect(() => {
    if (named) open({ work: named.work, day: dayIn(zone, new Date(named.startedAt)) })
  }, [named?.id])
  const close = () => {
    opened.value = undefined
    if (asks) setQuery({ entry: undefined })
  }
  useClock(entries?.some(({ endedAt }) => endedAt === null) ?? false)
  return (
    <div class="ts" aria-busy={loaded.isLoading.value}>
      <WeekHead start={start} today={today} memberId={week.memberId} />
      <ZoneHint zone={zone} />
      {error !== undefined && <Failure error={error} onRetry={loaded.reload} />}
      {rows === undefined && error === undefined && (
        <p class="quiet" role="status">
          {words.frame.loading}
        </p>
      )}
      {rows?.length === 0 && (
        <>
          <p class="empty">{timesheetWords.empty}</p>
          <AddWork week={week} sheet={sheet} />
        </>
      )}
      {rows && rows.length > 0 && (
        <Grid
          {...{ rows, days, today, sheet, open, whyNot }}
          isLocked={(day) => timeLockedBefore !== null && day < timeLockedBefore}
          hasTimer={isOwn && days.includes(today)}
        >
          {(cell) => {
            const row = rows.find(({ work }) => work.id === cell?.work.id)
            return (
              <>
                <AddWork week={week} sheet={sheet} />
                <Chosen
                  {...{ cell, zone, sheet, open }}
                  entries={(cell && row?.days.get(cell.day)) ?? []}
                  lockedBefore={timeLockedBefore}
                  whyNot={cell && whyNot(cell.work)}
                  isBare={row?.days.size === 0}
                />
              </>
            )
          }}
        </Grid>
      )}
      {opened.value && rows && (
        <EntriesDialog
          key={cellId(opened.value)}
          cell={opened.value}
          entries={rows.find(({ work }) => work.id === opened.value?.work.id)?.days.get(opened.value.day) ?? []}
          {...{ zone, sheet, lockedBefore: timeLockedBefore, onClose: close }}
          whyNot={whyNot(opened.value.work)}
        />
      )}
    </div>
  )
}
