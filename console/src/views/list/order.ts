import type { ListQuery } from './list-query.ts'
import type { Row } from './row.ts'

type Sort = NonNullable<ListQuery['sort']>

/** The sort orders of GET /tasks. */
export const sorts: readonly Sort[] = [
  ...(['-createdAt', 'createdAt', '-updatedAt', 'updatedAt', 'dueDate', '-dueDate'] as const),
  ...(['-priority', 'priority', '-completedAt', 'completedAt'] as const),
  ...(['position', '-position', 'relevance', '-relevance'] as const),
]

/** Whether the server accepts an order with these filters. */
export function isOffered(sort: Sort, { q, workspaceId, stageId }: ListQuery): boolean {
  if (sort.endsWith('relevance')) return q !== undefined
  if (sort.endsWith('position')) return [workspaceId, stageId].some((ids) => isOne(ids))
  return true
}

const isOne = (ids: ListQuery['stageId']) => typeof ids === 'string' && ids !== 'none' && !ids.includes(',')

const ranks = { none: 0, low: 1, medium: 2, high: 3, urgent: 4 }

/** The sort value of a row; no entry for orders that only the server knows. */
const standing: Record<string, (row: Row) => string | number | null> = {
  // ids start with the creation time
  createdAt: ({ id }) => id,
  updatedAt: ({ updatedAt }) => updatedAt,
  dueDate: ({ dueDate }) => dueDate,
  priority: ({ priority }) => ranks[priority],
  completedAt: ({ completedAt }) => completedAt,
}

/** A comparator in the server's order: missing values come last in both directions. Undefined if only the server can sort. */
export function comparing(sort: Sort = '-createdAt'): ((one: Row, other: Row) => number) | undefined {
  const direction = sort.startsWith('-') ? -1 : 1
  const by = standing[sort.replace('-', '')]
  if (by === undefined) return undefined
  return (one, other) => {
    const [mine, theirs] = [by(one), by(other)]
    if (one.id === other.id && mine === theirs) return 0
    if (mine === theirs) return direction * (one.id < other.id ? -1 : 1)
    if (mine === null || theirs === null) return mine === null ? 1 : -1
    return direction * (mine < theirs ? -1 : 1)
  }
}
