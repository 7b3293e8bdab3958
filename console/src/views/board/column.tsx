import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useInSight } from '../../parts/windowed.ts'
import { words } from '../../words.ts'
import { TaskCard } from './card.tsx'
import type { Desk } from './desk.ts'
import type { Card, Column, NamedOption } from './state.ts'

interface StageColumnProps {
  column: Column
  desk: Desk
  named: ReadonlyMap<string, NamedOption>
  rowHeight: number
  isFiltered: boolean
  /** reads the next cards */
  onNearEnd: (column: Column) => void
  /** actions of the stage */
  actions: ComponentChildren
  /** shown above the cards */
  children?: ComponentChildren
}

// rows before the last loaded card at which the next page is read
const nearEnd = 8
const around = 3

/** A stage with its cards; only the visible ones are drawn. */
export function StageColumn({
  column,
  desk,
  named,
  rowHeight,
  isFiltered,
  onNearEnd,
  actions,
  children,
}: StageColumnProps) {
  const { stage, cards, count, nextCursor } = column
  const list = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(list)
  const inSight = useInSight({ container: list, count: cards.length, rowHeight, around, first: 12 })
  const { start, end } = inSight.value
  useEffect(() => {
    if (nextCursor !== null && isNear.value && end > cards.length - nearEnd) onNearEnd(column)
  }, [nextCursor, cards.length, end, isNear.value])
  const current = cards.findIndex(({ id }) => id === desk.current.value)
  const wanted = cards.findIndex(({ id }) => id === desk.wanted.value)
  useLayoutEffect(() => {
    if (wanted >= 0 && list.current) bringIntoSight(list.current, wanted, rowHeight)
  }, [wanted])
  const added = cards.findIndex(({ id }) => id === desk.added.value)
  useLayoutEffect(() => {
    if (added >= 0 && list.current) bringIntoSight(list.current, added, rowHeight)
    // only once, not when others move it later
  }, [added >= 0, desk.added.value])
  const drawn =
    isNear.value || wanted >= 0 || current >= 0 ? rowsToDraw(start, end, cards.length, [current, wanted]) : []
  const stop = drawn.includes(current) ? current : (drawn[0] ?? -1)
  const headingId = `stage-${stage.id}`
  return (
    <section class="board-column" aria-labelledby={headingId} data-stage={stage.id}>
      <header>
        <h2 id={headingId} dir="auto" title={stage.name}>
          {stage.name}
        </h2>
        <Count count={count} wipLimit={isFiltered ? null : stage.wipLimit} />
        <span class="board-column-actions">{actions}</span>
      </header>
      {children}
      <div ref={list} class="board-cards">
        <ul aria-labelledby={headingId} style={{ height: `${cards.length * rowHeight}px` }}>
          {drawn.map((row) => {
            const card = cards[row] as Card
            return (
              <li
                key={card.id}
                class="board-row"
                aria-setsize={count}
                aria-posinset={row + 1}
                style={{ transform: `translateY(${row * rowHeight}px)` }}
              >
                <TaskCard
                  card={card}
                  desk={desk}
                  named={named}
                  isDone={stage.category === 'done'}
                  isStop={row === stop}
                />
              </li>
            )
          })}
        </ul>
      </div>
      {cards.length === 0 && (
        <p class="board-none quiet small">{isFiltered ? words.board.noneMatches : words.board.none}</p>
      )}
    </section>
  )
}

function Count({ count, wipLimit }: { count: number; wipLimit: number | null }) {
  if (wipLimit === null)
    return (
      <span class="board-count">
        {count}
        <span class="visually-hidden"> {words.board.tasks(count)}</span>
      </span>
    )
  const isFull = count >= wipLimit
  return (
    <span class={`board-count ${isFull ? 'full' : ''}`} title={words.board.limit(wipLimit)}>
      {count} / {wipLimit} {isFull && <b>{words.board.full}</b>}
      <span class="visually-hidden"> ({words.board.limit(wipLimit)})</span>
    </span>
  )
}

function rowsToDraw(start: number, end: number, count: number, others: readonly number[]): readonly number[] {
  const rows = new Set<number>()
  for (let row = start; row < Math.min(end, count); row++) rows.add(row)
  // keep the focused card drawn, even out of view
  for (const row of others) if (row >= 0 && row < count) rows.add(row)
  return [...rows].sort((one, other) => one - other)
}

function bringIntoSight(list: HTMLElement, row: number, rowHeight: number) {
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
  if (top < list.scrollTop) list.scrollTop = top
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
  list.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Whether a column is visible or close to it; other columns draw no cards. */
function useIsNear(list: { current: HTMLElement | null }) {
  const isNear = useSignal(true)
  useEffect(() => {
    const column = list.current?.closest('section')
    if (!column) return
    const watching = new IntersectionObserver(
      (seen) => {
        isNear.value = seen.at(-1)?.isIntersecting ?? true
      },
      { root: column.parentElement, rootMargin: '0px 200px' },
    )
    watching.observe(column)
    return () => watching.disconnect()
  }, [])
  return isNear
}
