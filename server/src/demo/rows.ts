import { type CopyTransaction, fieldOf, type Value } from '../db/copy/copy-transaction.ts'

// in an order in which each table comes after those that it refers to
const columns = {
  organizations: ['name', 'timezone', 'createdAt', 'updatedAt'],
  event_counters: [],
  members: ['id', 'name', 'nameKey', 'email', 'role', 'createdAt', 'updatedAt'],
  api_keys: ['id', 'memberId', 'name', 'prefix', 'secretHash', 'scopes', 'createdAt', 'updatedAt'],
  task_types: ['id', 'name', 'nameKey', 'color', 'icon', 'createdAt', 'updatedAt'],
  tags: ['id', 'name', 'nameKey', 'color', 'createdAt', 'updatedAt'],
  projects: [
    ...(['id', 'name', 'nameKey', 'key', 'description', 'color', 'status', 'startDate', 'dueDate'] as const),
    ...(['version', 'createdAt', 'updatedAt'] as const),
  ],
  project_members: ['projectId', 'memberId', 'role', 'createdAt', 'updatedAt'],
  workspaces: ['id', 'projectId', 'name', 'nameKey', 'description', 'createdAt', 'updatedAt'],
  stages: [
    ...(['id', 'workspaceId', 'projectId', 'name', 'nameKey', 'category', 'position'] as const),
    ...(['createdAt', 'updatedAt'] as const),
  ],
  tasks: [
    ...(['id', 'projectId', 'workspaceId', 'stageId', 'number', 'key', 'name', 'description', 'typeId'] as const),
    ...(['priority', 'startDate', 'dueDate', 'estimateSeconds', 'position', 'completedAt', 'createdBy'] as const),
    ...(['assigneeIds', 'tagIds', 'search', 'version', 'createdAt', 'updatedAt'] as const),
  ],
  task_assignees: ['taskId', 'memberId'],
  task_tags: ['taskId', 'tagId'],
  subtasks: [
    ...(['id', 'taskId', 'projectId', 'name', 'assigneeId', 'position', 'finalizedAt', 'finalizedBy'] as const),
    ...(['version', 'createdAt', 'updatedAt'] as const),
  ],
  time_entries: [
    ...(['id', 'projectId', 'taskId', 'subtaskId', 'memberId', 'startedAt', 'endedAt', 'description'] as const),
    ...(['billable', 'tagIds', 'version', 'createdAt', 'updatedAt'] as const),
  ],
  time_entry_tags: ['timeEntryId', 'tagId'],
} as const satisfies Record<string, readonly string[]>

type Table = keyof typeof columns

/** The tables that are filled. */
export const tables = Object.keys(columns) as Table[]

/** Rows of one organization on their way to the database. */
export interface Rows {
  add<T extends Table>(table: T, row: Record<(typeof columns)[T][number], Value>): void
  /** bytes that wait to be sent */
  readonly waiting: number
  /** Sends what waits. */
  send(tx: CopyTransaction): Promise<void>
}

export function rowsOf(orgId: string): Rows {
  let texts = new Map<Table, Text>()
  let waiting = 0
  return {
    add(table, row) {
      const values = row as Record<string, Value>
      let text = texts.get(table)
      if (text === undefined) {
        text = newText()
        texts.set(table, text)
      }
      let line = orgId
      for (const column of columns[table]) line += `\t${fieldOf(values[column] ?? null)}`
      waiting += text.append(`${line}\n`)
    },
    get waiting() {
      return waiting
    },
    async send(tx) {
      const sent = texts
      texts = new Map()
      waiting = 0
      for (const table of tables) {
        const text = sent.get(table)
        if (text) await tx.copy(table, ['org_id', ...columns[table].map(inSql)], text.bytes())
      }
    },
  }
}

interface Text {
  /** @returns how many bytes it was */
  append(line: string): number
  bytes(): Buffer
}

/** Bytes and not strings: a string of many pieces keeps the garbage collector busier than all the rest. */
function newText(): Text {
  let buffer = Buffer.allocUnsafe(65_536)
  let length = 0
  return {
    append(line) {
      // a character takes three bytes at most
      if (length + line.length * 3 > buffer.length)
        buffer = Buffer.concat([buffer], buffer.length * 2 + line.length * 3)
      const written = buffer.write(line, length)
      length += written
      return written
    },
    bytes: () => buffer.subarray(0, length),
  }
}

const inSql = (column: string) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
