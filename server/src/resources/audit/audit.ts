import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { Id, Moment, severalOf, Timestamp } from '../../contract/fields.ts'
import { columnsOf } from '../../db/columns.ts'
import { nilId } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { eventColumns } from '../../events/log.ts'
import { typesMatching } from '../../events/type-names.ts'
import { includable } from '../../lists/include.ts'
import { cursorPageOf, cursorQuery, offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { serverItself } from '../../operations/changes.ts'
import { route } from '../../operations/route.ts'
import { PastEvent } from '../events/event.ts'
import { actingMember } from '../events/include.ts'
import { auditedPatterns, isAudited } from './audited.ts'

const { actor, resource } = PastEvent.shape

const AuditEntry = PastEvent.omit({ resourceId: true })
  .extend({
    actor: actor.extend({
      kind: z.enum(['member', 'operator', 'server']).meta({
        description:
          'operator: the person who runs the instance, with the operator token or on the command line. server: the ' +
          'server itself.',
      }),
      apiKeyId: Id.nullable(),
    }),
    resource: resource
      .extend({
        name: z
          .string()
          .max(255)
          .meta({ pattern: '^[^\\u0000]*$', examples: ['Robot'] })
          .nullable()
          .meta({ description: 'The name at that time. Null if it has no name, or if its event is no longer stored.' }),
      })
      .meta({
        description: 'The resource that the action changed. For a project member, this is the id of the member.',
      }),
    changes: z
      .record(
        z.string().max(64).meta({ pattern: '^[A-Za-z]+$' }),
        z.strictObject({
          from: z.unknown().optional(),
          to: z.unknown().optional(),
          shortened: z.literal(true).optional(),
        }),
      )
      .meta({
        description:
          'The fields that the update changed. When the event is no longer stored, most fields are listed without ' +
          'values, as {}.',
      }),
  })
  .meta({
    id: 'AuditEntry',
    description: 'An administrative action: what was done, to which resource, by whom and with which key.',
  })
type AuditEntry = z.output<typeof AuditEntry>

const besideEntry = includable<AuditEntry>(AuditEntry, 'An administrative action', { member: actingMember() })

/** The columns of an entry, from a row of `events` or of `audit_entries` under that alias. @param name SQL: its name */
const entryColumns = (name: Sql): Sql => sql`${eventColumns(sql`true`)}, ${name} as name,
  case when events.actor_id is not null then 'member'
    when events.request_id = any(${serverItself}::text[]) then 'server' else 'operator' end as kind`

type EntryRow = Omit<AuditEntry, 'actor' | 'resource'> & {
  actor: Omit<AuditEntry['actor'], 'kind'>
  resource: Omit<AuditEntry['resource'], 'name'>
  kind: AuditEntry['actor']['kind']
  name: string | null
}

const entryOf = ({ kind, name, actor, resource, ...row }: EntryRow): AuditEntry => ({
  ...row,
  actor: { kind, ...actor },
  resource: { ...resource, name },
})

const RefusedSignIn = z
  .strictObject({
    id: Id,
    hour: Timestamp.meta({ description: 'The start of the hour.' }),
    keyId: Id.nullable().meta({
      description: 'Null for a key that the organization never had, or no longer has.',
    }),
    address: z
      .string()
      .max(64)
      .meta({ pattern: '^[^\\u0000]*$', examples: ['203.0.113.7'] })
      .nullable()
      .meta({ description: 'Null for several addresses that are counted together.' }),
    count: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    lastAt: Timestamp,
  })
  .meta({ id: 'RefusedSignIn', description: 'How often a key was refused in an hour, from one address.' })
type RefusedSignIn = z.output<typeof RefusedSignIn>

/** Columns that the API shows differently than the table stores them. */
const refusedColumns = {
  shows: {
    keyId: sql`nullif(refused_sign_ins.key_id, ${nilId}::uuid)`,
    address: sql`nullif(refused_sign_ins.address, '')`,
  },
}

const AuditType = z
  .string()
  .refine(
    (pattern) => auditedPatterns.includes(pattern),
    'Must be a type that the audit log has, such as api_key.created, or api_key.*',
  )
  .meta({ enum: [...auditedPatterns], maxLength: 64, examples: ['api_key.*'] })

const filters = {
  type: severalOf(AuditType, 'a type that the audit log has, such as api_key.created, or api_key.*', {
    most: 20,
    description: 'Only actions of these types. `api_key.*` stands for all actions on API keys.',
    means: '',
  }).optional(),
  actorId: Id.optional().meta({ description: 'Only actions of this member.' }),
  createdAfter: Moment.optional().meta({ description: 'Only actions at or after this date-time.' }),
  createdBefore: Moment.optional().meta({ description: 'Only actions before this date-time.' }),
}

const hours = {
  hourAfter: Moment.optional().meta({ description: 'Only hours that began at or after this date-time.' }),
  hourBefore: Moment.optional().meta({ description: 'Only hours that began before this date-time.' }),
}

export const audit = [
  route('GET /audit', {
    name: 'audit.list',
    summary: 'List administrative actions',
    description:
      'Newest first. The audit log shows who created, rotated and revoked keys, and who created, removed and ' +
      'erased members or changed their roles. It also shows changes of settings and webhooks, and everything that ' +
      'was deleted or restored. It includes what the operator did on the command line. Entries are stored for 365 ' +
      'days, or as long as AUDIT_RETENTION says, which is longer than events. When an event is no longer stored, ' +
      'its entry stays without names and texts. So the audit log shows nothing of purged data. For refused API ' +
      'keys, see GET /audit/refused-sign-ins.',
    roles: admins,
    query: z.strictObject({ ...filters, ...cursorQuery, include: besideEntry.include }),
    returns: cursorPageOf(besideEntry.Full),
    async handle(asked) {
      const { db, caller, cursors, query } = asked
      const { orgId } = caller
      const { limit, cursor } = query
      const before = cursor === undefined ? undefined : cursors.openNumber(orgId, 'audit', cursor)
      const rows = await db.rows<EntryRow>(sql`
        with logged as materialized (${matching(sql`events`, sql.all(matches(orgId, query, before), isAudited), limit)}),
        kept as materialized (${matching(sql`audit_entries events`, matches(orgId, query, before), limit)})
        select * from (
          select ${entryColumns(sql`left(events.snapshot ->> 'name', 255)`)} from logged
          join events on events.org_id = ${orgId} and events.sequence = logged.sequence
          union all
          select ${entryColumns(sql`null`)} from kept
          join audit_entries events on events.org_id = ${orgId} and events.sequence = kept.sequence) entries
        order by entries.sequence desc limit ${limit + 1}`)
      const data = rows.slice(0, limit).map(entryOf)
      const last = rows.length > limit ? data.at(-1) : undefined
      const nextCursor = last ? cursors.sealNumber(orgId, 'audit', last.sequence) : null
      return besideEntry.inPage(asked, { data, pagination: { nextCursor } })
    },
  }),

  route('GET /audit/refused-sign-ins', {
    name: 'audit.refusedSignIns.list',
    summary: 'List refused API keys',
    description:
      'Latest hour first. Shows how often a key was refused with 401, and from which address. The key was revoked ' +
      'or has expired, its member is removed or deactivated, or it never existed (keyId is null). The counts ' +
      'appear after some seconds, and are stored as long as events. Anybody can invent keys for your organization. ' +
      'So only some dozens of keys and addresses are counted one by one in each hour. The others are counted ' +
      'together (address is null).',
    roles: admins,
    query: z.strictObject({ ...offsetQuery, keyId: Id.optional().meta({ description: 'Only this key.' }), ...hours }),
    returns: offsetPageOf(RefusedSignIn),
    handle({ db, caller, query }) {
      const { keyId, hourAfter, hourBefore } = query
      const which = sql.all(
        sql`refused_sign_ins.org_id = ${caller.orgId}`,
        keyId && sql`refused_sign_ins.key_id = ${keyId}`,
        hourAfter && sql`refused_sign_ins.hour >= ${hourAfter}`,
        hourBefore && sql`refused_sign_ins.hour < ${hourBefore}`,
      )
      const order = sql`refused_sign_ins.hour desc, refused_sign_ins.key_id desc, refused_sign_ins.address desc`
      const from = sql`refused_sign_ins where ${which}`
      return offsetPage<RefusedSignIn>(
        db,
        { columns: columnsOf('refused_sign_ins', RefusedSignIn, refusedColumns), from, order },
        query,
      )
    },
  }),
]

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> | undefined }

/**
 * Condition: the filters match a row of `events`, or of another table under that alias.
 * @param before the sequence of the last row that was read
 */
const matches = (orgId: string, { type, actorId, createdAfter, createdBefore }: Filters, before?: number): Sql =>
  sql.all(
    sql`events.org_id = ${orgId}`,
    before !== undefined && sql`events.sequence < ${before}`,
    type && sql`events.type = any(${typesMatching(type)}::text[])`,
    actorId && sql`events.actor_id = ${actorId}`,
    createdAfter && sql`events.created_at >= ${createdAfter}`,
    createdBefore && sql`events.created_at < ${createdBefore}`,
  )

/** Query: the sequences of the first rows that match, from an index alone. */
const matching = (table: Sql, condition: Sql, limit: number): Sql => sql`
  select events.sequence from ${table} where ${condition} order by events.sequence desc limit ${limit + 1}`
