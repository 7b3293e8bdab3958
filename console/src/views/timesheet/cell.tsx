import { useLayoutEffect, useRef } from 'preact/hooks'
import { latinDigits } from '../../parts/digits.ts'
import { durationCell } from '../../parts/format.ts'
import { as } from './as.ts'
import { longDayText } from './day-names.ts'
import type { Cell } from './plan.ts'
import { secondsOf } from './rows.ts'
import { cellId, type Sheet } from './sheet.ts'
import { Sum } from './sum.tsx'
import { timesheetWords } from './timesheet-words.ts'
import type { Walk } from './walk.ts'
import { type Entry, nameOf } from './work.ts'

interface DayCellProps {
  cell: Cell
  entries: readonly Entry[]
  sheet: Sheet
  walk: Walk
  column: number
  class: string
  isLocked: boolean
  /** opens the list of entries */
  open: (cell: Cell) => void
}

// the first character of a time; letters are shortcuts
const begins = /^[\d.,:+]$/

/** The time of one day in one row. Typing replaces it; Enter or F2 edits it. */
export function DayCell({ cell, entries, sheet, walk, column, class: classes, isLocked, open }: DayCellProps) {
  const id = cellId(cell)
  const typed = sheet.typed(cell)
  const isSaving = sheet.isSaving(cell)
  const isEditing = sheet.editing.value === id
  const isSimple = entries.length < 2 && entries.every(({ endedAt }) => endedAt !== null)
  const mayType = !isLocked && !isSaving
  const begin = (text: string) => {
    if (text !== typed?.text) sheet.type(cell, text)
    sheet.editing.value = id
  }
  const edit = () => {
    if (isLocked || !isSimple) open(cell)
    else if (mayType) begin(typed?.text ?? (entries.length > 0 ? durationCell(secondsOf(entries, 0)) : ''))
  }
  const pressed = (event: KeyboardEvent) => {
    if (isEditing || event.altKey || event.metaKey) return
    const { key } = event
    if (key === 'Enter' && (event.ctrlKey || event.shiftKey)) open(cell)
    else if (event.ctrlKey) return
    else if (key === 'Enter' || key === 'F2') edit()
    else if (begins.test(latinDigits(key))) {
      if (isLocked || (!isSimple && key !== '+')) open(cell)
      else if (mayType) begin(key)
    } else if (key === 'Escape' && typed !== undefined && !isSaving) sheet.discard(cell)
    else if ((key === 'Delete' || key === 'Backspace') && entries.length > 0) {
      if (entries.length > 1 || isLocked) open(cell)
      else for (const entry of entries) void sheet.remove(entry)
    } else return
    event.preventDefault()
  }
  const wasSelected = useRef(false)
  const label = timesheetWords.cell(nameOf(cell.work), longDayText(cell.day))
  return (
    <div
      {...as('gridcell', {
        'aria-readonly': isLocked,
        'aria-busy': isSaving,
        'aria-invalid': typed?.problem !== undefined,
        onKeyDown: pressed,
        onPointerDown: ({ currentTarget }) => {
          wasSelected.current = document.activeElement === currentTarget
        },
        onClick: () => {
          if (!isEditing && wasSelected.current) edit()
        },
      })}
      {...walk.at(cell.work.id, column)}
      class={`ts-cell ${classes} ${typed && !isSaving ? 'unsaved' : ''}`}
    >
      {isEditing ? (
        <Editor {...{ cell, entries, sheet, walk, label }} />
      ) : (
        <>
          <span class="visually-hidden">
            {label}
            {(typed || entries.length > 0) && ':'}{' '}
          </span>
          {typed ? (
            <bdi class="ts-typed">{typed.text}</bdi>
          ) : (
            <>
              {entries.some(({ endedAt }) => endedAt === null) && <span class="ts-runs" aria-hidden="true" />}
              <Sum entries={entries} />
              {entries.length > 1 && <span class="ts-count quiet small">{entries.length}×</span>}
            </>
          )}
        </>
      )}
    </div>
  )
}

interface EditorProps extends Pick<DayCellProps, 'cell' | 'entries' | 'sheet' | 'walk'> {
  label: string
}

function Editor({ cell, entries, sheet, walk, label }: EditorProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(-1, -1)
  }, [])
  const typed = sheet.typed(cell)
  const before = entries.length === 1 ? durationCell(secondsOf(entries, 0)) : ''
  /** @returns whether the focus may leave the cell */
  const finish = (): boolean => {
    const text = sheet.typed(cell)?.text.trim() ?? ''
    if (text === '' || text === before) {
      sheet.discard(cell)
      if (text === '' && entries.length === 1) for (const entry of entries) void sheet.remove(entry)
    } else if (sheet.save(cell) !== undefined) return false
    sheet.editing.value = undefined
    return true
  }
  const leave = (lines: number, columns: number) => {
    if (finish()) walk.by(lines, columns)
  }
  const ways: Record<string, (event: KeyboardEvent) => void> = {
    Enter: ({ shiftKey }) => leave(shiftKey ? -1 : 1, 0),
    Tab: ({ shiftKey }) => leave(0, shiftKey ? -1 : 1),
    ArrowDown: () => leave(1, 0),
    ArrowUp: () => leave(-1, 0),
    Escape: () => {
      sheet.discard(cell)
      sheet.editing.value = undefined
      walk.back()
    },
  }
  return (
    <input
      ref={input}
      class="ts-input"
      aria-label={label}
      aria-invalid={typed?.problem !== undefined}
      aria-describedby="ts-problem"
      autocomplete="off"
      spellcheck={false}
      value={typed?.text ?? ''}
      onInput={({ currentTarget: { value } }) => sheet.type(cell, value)}
      onKeyDown={(event) => {
        const way = event.isComposing ? undefined : ways[event.key]
        if (!way) return
        event.preventDefault()
        event.stopPropagation()
        way(event)
      }}
      onBlur={() => {
        if (sheet.editing.peek() !== cellId(cell)) return
        finish()
        sheet.editing.value = undefined
      }}
    />
  )
}
