import type { Operation } from '../operations/operation.ts'
import type { Colour } from './colours.ts'

/** Chosen columns of common resources, by schema; `usualColumns` finds those of others. */
const chosen: Record<string, readonly string[]> = {
  FullTask: ['key', 'name', 'stage', 'priority', 'assignees', 'dueDate'],
  FullProject: ['key', 'name', 'status', 'startDate', 'dueDate'],
  FullMember: ['name', 'email', 'role', 'status'],
  FullSubtask: ['id', 'name', 'task', 'assignee', 'finalizedAt'],
  FullComment: ['id', 'task', 'author', 'createdAt', 'body'],
  FullTimeEntry: ['id', 'member', 'task', 'subtask', 'startedAt', 'durationSeconds', 'billable', 'description'],
  ProjectMember: ['name', 'role', 'grantedRole', 'memberId'],
  ApiKey: ['id', 'name', 'prefix', 'scopes', 'expiresAt', 'lastUsedAt', 'revokedAt'],
  Event: ['sequence', 'createdAt', 'type', 'resource.id', 'snapshot.name', 'actor.memberId'],
  FullPastEvent: ['sequence', 'createdAt', 'type', 'member', 'changes'],
  Delivery: ['id', 'sequence', 'eventType', 'status', 'attemptCount', 'nextAttemptAt'],
}

const seldom = new Set(['version', 'createdAt', 'updatedAt', 'position', 'description', 'color', 'icon'])

/** The default columns of a table with these fields. */
export function columnsOf(operation: Operation, fields: readonly string[]): readonly string[] {
  const includable = includableBy(operation)
  const isThere = (name: string) => fields.includes(name.replace(/\..*/, '')) || includable.includes(name)
  const own = chosen[operation.answers ?? '']?.filter(isThere)
  return own ?? namedIn(fields, includable).filter((name) => !seldom.has(name) && isOwn(name, fields, includable))
}

/** The default fields of a single resource. */
export const linesOf = (operation: Operation, fields: readonly string[]) =>
  namedIn(fields, includableBy(operation)).filter((name) => isOwn(name, fields, includableBy(operation)))

/** The parts that `include` can add to the response of an operation. */
export const includableBy = ({ parameters }: Operation): readonly string[] =>
  parameters.find(({ name, in: place }) => name === 'include' && place === 'query')?.words ?? []

/** The parts that these columns need. */
export const includesFor = (operation: Operation, columns: readonly string[]) =>
  includableBy(operation).filter((name) => columns.includes(name))

/** The included part for an id field: `assignees` for `assigneeIds`. */
const partFor = (field: string, includable: readonly string[]) =>
  includable.find(
    (part) => field === `${part}Id` || field === `${part.replace(/s$/, '')}Ids` || idOfPart[part] === field,
  )

const idOfPart: Record<string, string> = { creator: 'createdBy', member: 'actor' }

/** Replaces id fields by the parts that have the names. */
const namedIn = (fields: readonly string[], includable: readonly string[]) => [
  ...new Set(fields.map((field) => partFor(field, includable) ?? field)),
]

// other parts appear only if the user asked for them
const isOwn = (name: string, fields: readonly string[], includable: readonly string[]) =>
  !includable.includes(name) || fields.some((field) => partFor(field, includable) === name)

/** The color of cells that should stand out. */
export function colourOf(column: string): ((cell: string) => Colour | undefined) | undefined {
  if (column === 'key' || column === 'id') return () => 'cyan'
  const byCell = colours[column]
  return byCell && ((cell) => byCell[cell])
}

const colours: Record<string, Record<string, Colour>> = {
  priority: { urgent: 'red', high: 'yellow', none: 'dim', low: 'dim' },
  status: {
    failed: 'red',
    disabled: 'red',
    deactivated: 'dim',
    archived: 'dim',
    pending: 'yellow',
    delivered: 'green',
  },
}
