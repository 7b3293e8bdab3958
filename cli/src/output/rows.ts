/** The content of a table. */
export interface Rows {
  columns: readonly string[]
  rows: readonly Record<string, unknown>[]
}

/** The rows inside responses that are not lists, by schema. */
export const rowsIn: Record<string, (answer: never) => Rows> = {
  TimeReport: reportRows,
  TaskReport: reportRows,
  SearchAnswer({ groups }: { groups: readonly { hits: readonly Hit[] }[] }) {
    const rows = groups
      .flatMap(({ hits }) => hits)
      .map(({ kind, id, key, name, task, project, snippet }) => ({
        ...{ kind, of: key ?? task?.key ?? project?.key ?? id, name: name ?? task?.name, found: snippet?.text },
      }))
    return { columns: ['kind', 'of', 'name', 'found'], rows }
  },
  BulkResults({ results }: { results: readonly { status: number; body?: Record<string, unknown> | null }[] }) {
    const rows = results.map(({ status, body }) => ({ status, id: body?.id, key: body?.key, name: body?.name }))
    return { columns: ['status', 'id', 'key', 'name'], rows }
  },
  Board({ stages }: { stages: readonly { name: string; tasks: readonly Record<string, unknown>[] }[] }) {
    const rows = stages.flatMap(({ name: stage, tasks }) => tasks.map((task) => ({ ...task, stage })))
    return { columns: ['stage', 'key', 'name', 'priority', 'assignees', 'dueDate'], rows }
  },
}

interface Hit {
  kind: string
  id: string
  key?: string | null
  name?: string | null
  task?: { key: string; name: string } | null
  project?: { key: string } | null
  snippet?: { text: string } | null
}

interface Report {
  groupBy: readonly string[]
  data: readonly ({ group: Record<string, { name: string | null } | undefined> } & Record<string, unknown>)[]
  totals: Record<string, unknown>
}

function reportRows({ groupBy, data, totals }: Report): Rows {
  const [first = ''] = groupBy
  const rows = data.map(({ group, ...sums }) => ({
    ...Object.fromEntries(groupBy.map((name) => [name, group[name]?.name])),
    ...sums,
  }))
  const columns = [...groupBy, ...Object.keys(totals)]
  return { columns, rows: [...rows, { ...totals, [first]: 'total' }] }
}
