import { useLayoutEffect, useRef } from 'preact/hooks'
import { taskHref } from '../../router/router.ts'
import { words } from '../../words.ts'
import { as } from './as.ts'
import { DayCell } from './cell.tsx'
import { dayOfMonthText, longDayText, weekdayText } from './day-names.ts'
import type { Cell } from './plan.ts'
import type { Row } from './rows.ts'
import type { Sheet } from './sheet.ts'
import { Sum } from './sum.tsx'
import { TimerButton } from './timer-button.tsx'
import { timesheetWords } from './timesheet-words.ts'
import { useWalk, type Walk } from './walk.ts'
import { nameOf, type WorkItem } from './work.ts'

interface GridProps {
  rows: readonly Row[]
  days: readonly string[]
  today: string
  isLocked: (day: string) => boolean
  /** whether it is the user's current week, in which they can start a timer */
  hasTimer: boolean
  /** the reason why the user cannot log time in a row, as a sentence; undefined if they can */
  whyNot: (work: WorkItem) => string | undefined
  sheet: Sheet
  open: (cell: Cell) => void
  /** gets the focused cell */
  children: (cell: Cell | undefined) => preact.ComponentChildren
}

/** The rows of a week and the sums of each day. One cell has the focus; arrow keys move it. */
export function Grid({ rows, days, today, isLocked, hasTimer, whyNot, sheet, open, children }: GridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const firstDay = hasTimer ? 2 : 1
  const names = rows.map(({ work }) => work.id)
  const begin = firstDay + Math.max(0, days.indexOf(today))
  const walk = useWalk(grid, names, firstDay + days.length, begin)
  const wanted = sheet.wanted.value
  useLayoutEffect(() => {
    if (wanted === undefined || !names.includes(wanted)) return
    sheet.wanted.value = undefined
    walk.to(wanted, begin)
  }, [wanted, names.length])
  const chosen = rows.find(({ work }) => work.id === walk.place?.line)
  const chosenDay = days[(walk.place?.column ?? 0) - firstDay]
  const classOf = (day: string) => `${day === today ? 'today' : ''} ${isLocked(day) ? 'locked' : ''}`
  return (
    <>
      <div ref={grid} class="ts-grid" {...as('grid', { 'aria-label': timesheetWords.grid, onKeyDown: walk.pressed })}>
        <div {...as('rowgroup')}>
          <div {...as('row')}>
            <div {...as('columnheader')} class="ts-work">
              {timesheetWords.task}
            </div>
            {days.map((day) => (
              <DayHead key={day} day={day} class={classOf(day)} isToday={day === today} isLocked={isLocked(day)} />
            ))}
            <div {...as('columnheader')}>{timesheetWords.total}</div>
          </div>
        </div>
        <div {...as('rowgroup')}>
          {rows.map((row) => (
            <div key={row.work.id} {...as('row')}>
              <WorkHead work={row.work} walk={walk}>
                {hasTimer && (
                  <TimerButton {...{ row, sheet }} place={walk.at(row.work.id, 1)} whyNot={whyNot(row.work)} />
                )}
              </WorkHead>
              {days.map((day, place) => (
                <DayCell
                  key={day}
                  cell={{ work: row.work, day }}
                  entries={row.days.get(day) ?? []}
                  class={classOf(day)}
                  isLocked={isLocked(day) || whyNot(row.work) !== undefined}
                  column={firstDay + place}
                  {...{ sheet, walk, open }}
                />
              ))}
              <div {...as('gridcell')} class="ts-total">
                <Sum entries={[...row.days.values()].flat()} />
              </div>
            </div>
          ))}
        </div>
        <div {...as('rowgroup')}>
          <div {...as('row')}>
            <div {...as('rowheader')} class="ts-work">
              {timesheetWords.total}
            </div>
            {days.map((day) => (
              <div key={day} {...as('gridcell')} class={`ts-total ${classOf(day)}`}>
                <Sum entries={rows.flatMap((row) => row.days.get(day) ?? [])} />
              </div>
            ))}
            <div {...as('gridcell')} class="ts-total ts-all">
              <Sum entries={rows.flatMap((row) => [...row.days.values()].flat())} />
            </div>
          </div>
        </div>
      </div>
      {children(chosen && chosenDay ? { work: chosen.work, day: chosenDay } : undefined)}
    </>
  )
}

interface DayHeadProps {
  day: string
  class: string
  isToday: boolean
  isLocked: boolean
}

function DayHead({ day, class: classes, isToday, isLocked }: DayHeadProps) {
  return (
    <div {...as('columnheader', isToday ? { 'aria-current': 'date' } : {})} class={classes}>
      <span aria-hidden="true">
        <span class="ts-weekday">{weekdayText(day)}</span> {dayOfMonthText(day)}
        {isLocked && <span class="ts-lock"> 🔒</span>}
      </span>
      <span class="visually-hidden">
        {longDayText(day)}
        {isToday && `, ${words.time.today}`}
        {isLocked && `, ${timesheetWords.locked}`}
      </span>
    </div>
  )
}

function WorkHead({ work, walk, children }: { work: WorkItem; walk: Walk; children: preact.ComponentChildren }) {
  const { id, taskKey, taskName, stepName, projectName, color } = work
  return (
    <div {...as('rowheader')} class="ts-work">
      <a {...walk.at(id, 0)} href={taskHref(taskKey)} title={nameOf(work)}>
        <span class="ts-name">
          <span class="quiet">{taskKey}</span> <bdi>{stepName ?? taskName}</bdi>
        </span>
        <span class="quiet small ts-project">
          <span class="ts-dot" aria-hidden="true" style={{ background: color ?? 'var(--edge)' }} />
          {stepName !== undefined && (
            <>
              <bdi>{taskName}</bdi> ·{' '}
            </>
          )}
          <bdi>{projectName}</bdi>
        </span>
      </a>
      {children}
    </div>
  )
}
