import { durationText } from '../../parts/format.ts'
import { words } from '../../words.ts'
import { spanText } from './clock.ts'
import { longDayText } from './day-names.ts'
import { Overlapped } from './overlapped.tsx'
import type { Cell } from './plan.ts'
import { secondsOf } from './rows.ts'
import { cellId, type Sheet, type TypedCell } from './sheet.ts'
import { timesheetWords } from './timesheet-words.ts'
import { type Entry, nameOf } from './work.ts'

interface ChosenProps {
  cell: Cell | undefined
  entries: readonly Entry[]
  zone: string
  lockedBefore: string | null
  sheet: Sheet
  open: (cell: Cell) => void
  /** whether the row is empty and can be removed */
  isBare: boolean
  /** the reason why the user cannot log time here, as a sentence; undefined if they can */
  whyNot: string | undefined
}

/** Details of the focused cell: its entries, and unsaved time with the reason. */
export function Chosen({ cell, entries, zone, lockedBefore, sheet, open, isBare, whyNot }: ChosenProps) {
  if (!cell) return <p class="ts-chosen quiet small">{timesheetWords.hint}</p>
  const typed = sheet.typed(cell)
  const isTyping = sheet.editing.value === cellId(cell)
  const isTold = !sheet.isSaving(cell) && (!isTyping || typed?.problem !== undefined)
  const isLocked = lockedBefore !== null && cell.day < lockedBefore
  return (
    <section class="ts-chosen" aria-label={timesheetWords.chosen}>
      <h2 class="small">
        <bdi>{nameOf(cell.work)}</bdi>, {longDayText(cell.day)}
      </h2>
      {whyNot !== undefined && <p class="small">{whyNot}</p>}
      {whyNot === undefined && isLocked && <p class="small">{timesheetWords.lockedSince(longDayText(lockedBefore))}</p>}
      {entries.length > 0 ? (
        <ul class="small">
          {entries.map((entry) => (
            <li key={entry.id}>
              {spanText(entry, zone)}
              {entry.endedAt !== null && `, ${durationText(secondsOf([entry], 0))}`}
              {entry.description && (
                <span class="quiet">
                  {' '}
                  · <bdi>{entry.description}</bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      ) : (
        !typed && (
          <p class="quiet small">{isLocked || whyNot !== undefined ? timesheetWords.nothing : timesheetWords.hint}</p>
        )
      )}
      {typed && isTold && <Unsaved {...{ cell, typed, sheet, zone }} />}
      <p class="visually-hidden" role="status">
        {sheet.isSaving(cell) ? words.frame.underWay : ''}
      </p>
      <div class="buttons">
        {entries.length > 0 && (
          <button type="button" onClick={() => open(cell)}>
            {timesheetWords.details}
          </button>
        )}
        {isBare && (
          <button type="button" onClick={() => sheet.take(cell.work)}>
            {timesheetWords.remove}
          </button>
        )}
      </div>
    </section>
  )
}

function Unsaved({ cell, typed, sheet, zone }: { cell: Cell; typed: TypedCell; sheet: Sheet; zone: string }) {
  return (
    <div class="ts-unsaved">
      <p class="failure" role="alert" id="ts-problem">
        {typed.problem ?? ''}
      </p>
      {typed.overlaps && <Overlapped id={typed.overlaps} zone={zone} />}
      <p class="small">
        {timesheetWords.unsaved} <bdi>{typed.text}</bdi>
      </p>
      <div class="buttons">
        <button type="button" onClick={() => sheet.save(cell)}>
          {typed.problem === undefined ? timesheetWords.save : words.frame.retry}
        </button>
        <button type="button" onClick={() => sheet.discard(cell)}>
          {timesheetWords.discard}
        </button>
      </div>
    </div>
  )
}
