import type { ListState, Row } from './row.ts'

/**
 * The rows, updated with a new read of some tasks: tasks in the read move to their place, missing tasks disappear. A task after
 * the last loaded row comes with the next page, if there is one.
 */
export function merged(
  { rows, next }: ListState,
  asked: readonly string[],
  came: readonly Row[],
  order: (one: Row, other: Row) => number,
): ListState {
  const known = new Map(rows.map((row) => [row.id, row]))
  const fresh = new Map(
    came.filter(({ id, version }) => version >= (known.get(id)?.version ?? 0)).map((row) => [row.id, row]),
  )
  const gone = new Set(asked.filter((id) => !came.some((row) => row.id === id)))
  const moved = (row: Row) => {
    const now = fresh.get(row.id)
    return now !== undefined && order(row, now) !== 0
  }
  const staying = rows.filter((row) => !gone.has(row.id) && !moved(row)).map((row) => fresh.get(row.id) ?? row)
  for (const row of fresh.values()) {
    const before = known.get(row.id)
    if (before && !moved(before)) continue
    const place = staying.findIndex((other) => order(row, other) < 0)
    if (place >= 0) staying.splice(place, 0, row)
    else if (next === null) staying.push(row)
  }
  return { rows: staying, next }
}
