import { useRef } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { noteFocus } from '../../parts/focus.ts'
import { AddEntry } from './add-entry.tsx'
import { longDayText } from './day-names.ts'
import { EntryForm } from './entry-form.tsx'
import type { Cell } from './plan.ts'
import type { Sheet } from './sheet.ts'
import { timesheetWords } from './timesheet-words.ts'
import { type Entry, nameOf } from './work.ts'

interface EntriesDialogProps {
  cell: Cell
  entries: readonly Entry[]
  zone: string
  lockedBefore: string | null
  sheet: Sheet
  /** the reason why the user cannot log time here, as a sentence; undefined if they can */
  whyNot: string | undefined
  onClose: () => void
}

/** The entries of a cell, to edit, delete or add. */
export function EntriesDialog({ cell, entries, zone, lockedBefore, sheet, whyNot, onClose }: EntriesDialogProps) {
  const box = useRef<HTMLDivElement>(null)
  const locked = lockedBefore !== null && cell.day < lockedBefore ? lockedBefore : undefined
  const isLocked = locked !== undefined || whyNot !== undefined
  const remove = async (entry: Entry) => {
    const mayFocus = noteFocus()
    await sheet.remove(entry)
    const fields = box.current?.querySelectorAll<HTMLElement>('input:not([type=checkbox])')
    const next = fields?.[0] ?? box.current
    if (mayFocus()) next?.focus()
  }
  return (
    <Dialog title={`${nameOf(cell.work)}, ${longDayText(cell.day)}`} onClose={onClose} kind="wide">
      <div ref={box} class="ts-entries" tabIndex={-1}>
        {whyNot !== undefined && <p>{whyNot}</p>}
        {whyNot === undefined && locked !== undefined && <p>{timesheetWords.lockedSince(longDayText(locked))}</p>}
        {entries.length === 0 && <p class="quiet">{timesheetWords.nothing}</p>}
        {entries.length > 0 && (
          <ul>
            {entries.map((entry) => (
              <li key={entry.id}>
                <EntryForm {...{ entry, cell, zone, isLocked, sheet }} onRemove={() => void remove(entry)} />
              </li>
            ))}
          </ul>
        )}
        {!isLocked && <AddEntry {...{ cell, sheet, zone }} />}
      </div>
    </Dialog>
  )
}
