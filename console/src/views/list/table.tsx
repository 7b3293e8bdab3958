import type { HTMLAttributes } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useCommands } from '../../frame/shortcuts.ts'
import { useInSight } from '../../parts/windowed.ts'
import { openTask } from '../../router/router.ts'
import { words } from '../../words.ts'
import { Cells } from './cells.tsx'
import type { ListState } from './row.ts'
import { useRowHeight } from './row-height.ts'
import { useWalk } from './walk.ts'

interface TableProps {
  found: ListState
  isBusy: boolean
  more: () => void
}

// read the next page so many rows before the last loaded row
const nearRows = 40

// a CSS grid, so each element needs its table role
type Role = 'table' | 'rowgroup' | 'row' | 'columnheader'
const as = (role: Role, more: HTMLAttributes<HTMLDivElement> = {}) => ({ role, ...more })

/** Rows of tasks; only visible ones are drawn. Near the end it reads the next page. */
export function Table({ found: { rows, next }, isBusy, more }: TableProps) {
  const scrolled = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const inSight = useInSight({ container: scrolled, count: rows.length, rowHeight })
  const walk = useWalk(scrolled, rows, rowHeight)
  const { start, end } = inSight.value
  useEffect(() => {
    if (next !== null && end >= rows.length - nearRows) more()
  }, [end, next, rows.length])
  useCommands(words.views.list, [
    { label: words.list.nextRow, keys: 'j', run: () => walk.step(1) },
    { label: words.list.rowBefore, keys: 'k', run: () => walk.step(-1) },
  ])
  const places = Array.from({ length: Math.max(0, Math.min(end, rows.length) - start) }, (_, n) => start + n)
  const focused = walk.at.value
  if (focused >= 0 && focused < rows.length && !places.includes(focused)) places.push(focused)
  return (
    <div
      ref={scrolled}
      class="list-table"
      {...as('table', { 'aria-label': words.list.tasks, 'aria-rowcount': next === null ? rows.length + 1 : -1 })}
      aria-busy={isBusy}
    >
      <div class="list-head" {...as('rowgroup')}>
        <div class="list-row" {...as('row', { 'aria-rowindex': 1 })}>
          {words.list.columns.map((name) => (
            <div key={name} {...as('columnheader')}>
              {name}
            </div>
          ))}
        </div>
      </div>
      <div {...as('rowgroup')} class="list-rows" style={{ height: `${rows.length * rowHeight}px` }}>
        {places.map((place) => {
          const row = rows[place]
          return (
            row && (
              <div
                key={row.id}
                class={`list-row ${openTask.value === row.key ? 'open' : ''} ${row.completedAt ? 'done' : ''}`}
                data-at={place}
                data-id={row.id}
                style={{ top: `${place * rowHeight}px`, height: `${rowHeight}px` }}
                {...as('row', { 'aria-rowindex': place + 2 })}
              >
                <Cells row={row} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
