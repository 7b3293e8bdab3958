import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'

/** The focus of a grid, and the keys that move it. */
export interface Walk {
  /** the row and column that have the focus, or had it last; undefined at first */
  place: { line: string; column: number } | undefined
  /** attributes of a cell that can have the focus */
  at(line: string, column: number): { tabIndex: number; 'data-at': string; onFocus: () => void }
  pressed(event: KeyboardEvent): void
  /** moves the focus to a cell */
  to(line: string, column: number): void
  /** moves the focus by rows and columns, within the grid */
  by(lines: number, columns: number): void
  /** returns the focus to its last cell */
  back(): void
}

/**
 * Keeps one cell of a grid reachable by Tab: the last one that had the focus.
 * @param lines the names of the rows
 * @param first the column of the first focus
 */
export function useWalk(
  grid: RefObject<HTMLElement | null>,
  lines: readonly string[],
  columns: number,
  first: number,
): Walk {
  const place = useSignal<{ line: string; column: number } | undefined>(undefined)
  const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
  const now = () => {
    const { line = '', column = first } = place.peek() ?? {}
    return { line: Math.max(0, lines.indexOf(line)), column: within(column, columns) }
  }
  const to = (line: number, column: number) => {
    const next = { line: lines[within(line, lines.length)] ?? '', column: within(column, columns) }
    place.value = next
    grid.current?.querySelector<HTMLElement>(`[data-at="${nameOf(next)}"]`)?.focus()
  }
  const by = (further: number, columnsOn: number) => to(now().line + further, now().column + columnsOn)
  const steps: Record<string, () => void> = {
    ArrowUp: () => by(-1, 0),
    ArrowDown: () => by(1, 0),
    ArrowLeft: () => by(0, -1),
    ArrowRight: () => by(0, 1),
    Home: () => to(now().line, 0),
    End: () => to(now().line, columns - 1),
    'Ctrl+Home': () => to(0, 0),
    'Ctrl+End': () => to(lines.length - 1, columns - 1),
  }
  const chosen = place.value && lines.includes(place.value.line) ? place.value : undefined
  const reachable = chosen ?? { line: lines[0], column: first }
  return {
    place: chosen,
    by,
    to: (line, column) => to(lines.indexOf(line), column),
    back: () => by(0, 0),
    at: (line, column) => ({
      tabIndex: line === reachable.line && column === within(reachable.column, columns) ? 0 : -1,
      'data-at': nameOf({ line, column }),
      onFocus: () => {
        if (line !== chosen?.line || column !== chosen.column) place.value = { line, column }
      },
    }),
    pressed(event) {
      if (event.defaultPrevented || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return
      const step = steps[`${event.ctrlKey ? 'Ctrl+' : ''}${event.key}`]
      if (!step) return
      event.preventDefault()
      step()
    },
  }
}

const nameOf = ({ line, column }: { line: string; column: number }) => `${line} ${column}`
