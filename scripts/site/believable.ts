import { createHash } from 'node:crypto'
import { nameIn, type Schema } from '../client/json-schema.ts'
import { lowerFirst, wholeNameOf } from '../client/operation.ts'

type Named = Record<string, Schema>

/** An id in the server's format, always the same for a noun such as `task` or `project`. */
export function exampleId(noun: string): string {
  const hash = createHash('sha256').update(noun).digest('hex')
  return `019a6f3e-${hash.slice(0, 4)}-7${hash.slice(4, 7)}-9${hash.slice(7, 10)}-${hash.slice(10, 22)}`
}

/** Field values of the demo's agency, by noun and field, or by field for any noun. */
const values: Record<string, unknown> = {
  ...{
    'task.name': 'Show prices with tax in the cart',
    'task.key': 'WEB-12',
    'task.number': 12,
    'task.priority': 'high',
  },
  ...{
    'subtask.name': 'Ask the tax office for the rates',
    'comment.body': 'The rates of Norway differ; see the sheet.',
  },
  ...{ 'project.name': 'Web shop', 'project.key': 'WEB', 'workspace.name': 'Delivery', 'stage.name': 'In review' },
  ...{ 'stage.category': 'doing', 'tag.name': 'frontend', 'taskType.name': 'Bug', 'apiKey.name': 'Nightly report' },
  ...{ 'member.name': 'Ana Ferreira', 'member.email': 'ana@ironbridge.example', 'member.role': 'admin' },
  ...{ 'organization.name': 'Ironbridge Digital', 'timeEntry.description': 'Paired on the rounding' },
  ...{ 'webhook.url': 'https://hooks.ironbridge.example/taskwright', email: 'ana@ironbridge.example' },
  ...{
    createdAt: '2026-03-02T08:15:00.000Z',
    updatedAt: '2026-03-04T14:40:00.000Z',
    startedAt: '2026-03-04T13:10:00.000Z',
  },
  ...{ endedAt: '2026-03-04T14:40:00.000Z', occurredAt: '2026-03-04T14:40:00.000Z', completedAt: null },
  ...{
    startDate: '2026-03-02',
    dueDate: '2026-03-13',
    estimateSeconds: 14_400,
    durationSeconds: 5_400,
    billable: true,
  },
  ...{
    seconds: 5_400,
    billableSeconds: 3_600,
    trackedSeconds: 5_400,
    entries: 2,
    version: 3,
    total: 1,
    position: 1_024,
  },
  ...{ finalizedAt: null, finalizedBy: null, deletedAt: null, revokedAt: null, expiresAt: null, wipLimit: 5 },
  ...{
    sequence: 1_742,
    description: null,
    timezone: 'Europe/Berlin',
    overlapHours: 24,
    nextCursor: null,
    lastUsedAt: null,
  },
  ...{
    oldest: 1,
    latest: 1_742,
    subtaskId: null,
    disabledReason: null,
    formerSecretUntil: null,
    timeLockedBefore: null,
  },
  ...{ 'owner.name': 'Ana Ferreira', moreProjects: false, status: 200, cutBefore: false, cutAfter: false },
}

/** A plausible value for a field. */
export function believable(schema: Schema, named: Named, field = '', noun = ''): unknown {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref)
    return believable(named[name] ?? {}, named, field, nounOf(name))
  }
  const known = [`${noun}.${field}`, field].map((key) => values[key]).find((value) => value !== undefined)
  if (known !== undefined && fits(known, schema)) return known
  if (field !== '' && isNullable(schema) && values[field] === null) return null
  const { anyOf, type, format, items, properties, required = [], examples } = schema
  if (format === 'uuid') return exampleId(field === 'id' ? noun : (people[field] ?? field.replace(/Ids?$/, '')))
  const [value] = [schema.const, schema.default, ...(schema.enum ?? [])].filter((it) => it !== undefined)
  if (anyOf) return believable(anyOf[0] ?? {}, named, field, noun)
  if (properties) {
    const shown = Object.entries(properties).filter(([name]) => required.includes(name))
    // an unnamed schema uses the name of its field
    const of = noun === '' || field === 'owner' ? field : noun
    return Object.fromEntries(shown.map(([name, inner]) => [name, believable(inner, named, name, of)]))
  }
  if (type === 'array' && items && !examples) return [believable(items, named, field, noun)]
  if (examples !== undefined) return examples[0]
  if (value !== undefined) return value
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return 'Some text'
}

/** The kind of resource of id fields with other names. */
const people: Record<string, string> = {
  ...{ createdBy: 'member', finalizedBy: 'member', authorId: 'member', actorId: 'member' },
  ...{ assigneeId: 'member', assigneeIds: 'member', createdWith: 'apiKey' },
}

/** The noun of a schema name: `task` of `FullTask`, `BriefTask` and `TaskSnapshot`. */
function nounOf(name: string): string {
  const bare = wholeNameOf(name).replace(/^(?:Brief|New|Named|Authored|Filled)|(?:Snapshot|OfHit)$/g, '')
  return { Card: 'task', SearchHit: 'task', ProjectMember: 'member' }[bare] ?? lowerFirst(bare)
}

const isNullable = ({ anyOf = [], type }: Schema) => type === 'null' || anyOf.some((one) => one.type === 'null')

function fits(value: unknown, schema: Schema): boolean {
  const { anyOf, type, enum: words, const: only } = schema
  if (anyOf) return anyOf.some((one) => fits(value, one))
  if (only !== undefined) return only === value
  if (words) return words.includes(String(value))
  if (value === null) return type === 'null'
  return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }[type ?? ''] === typeof value
}
