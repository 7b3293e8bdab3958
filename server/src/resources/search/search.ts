import { z } from 'zod'
import { type Caller, everyone } from '../../access/caller.ts'
import { invalid } from '../../contract/errors.ts'
import { Id, severalIds, severalOf, wholeNumber } from '../../contract/fields.ts'
import { firstIdOf, timeOf } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { Steps } from '../../db/steps.ts'
import { route } from '../../operations/route.ts'
import { matches } from '../../search/condition.ts'
import { newestFound, seenBy } from '../../search/newest.ts'
import { hasOnlyExclusions, type Query, searchParameter, soughtOf } from '../../search/query.ts'
import type { SearchTerm } from '../../search/search-terms.ts'
import { keyForm } from '../task.ts'
import { Hit, type HitRow, hitOf, type KindName, kinds, type SearchKind, searchedKinds } from './hit.ts'

const most = 50
const usual = 5

const Found = z
  .strictObject({
    groups: z
      .array(
        z
          .strictObject({
            kind: z.enum(kinds),
            hits: z.array(Hit).max(most).meta({ description: 'Newest first.' }),
            nextCursor: Id.nullable().meta({ description: 'Use it to get more of this kind: `kinds=…&cursor=…`.' }),
          })
          .meta({ id: 'SearchGroup', description: 'The search results of one kind.' }),
      )
      .max(kinds.length)
      .meta({ description: `In the order ${kinds.join(', ')}. A kind without results is left out.` }),
  })
  .meta({ id: 'SearchAnswer', description: 'Search results, by kind.' })
type Group = z.output<typeof Found>['groups'][number]

export const search = [
  route('GET /search', {
    name: 'search',
    summary: 'Search tasks, projects, subtasks, comments and time entries',
    description:
      'Returns what you can see, newest first, with the part of the text that matches. If you search for the key ' +
      'of a task, such as WEB-12, that task comes first.',
    roles: everyone,
    query: z.strictObject({
      q: searchParameter.meta({
        description:
          'The words to search for. Case and accents do not matter. Write `"…"` for a phrase, `-` before a word ' +
          'to exclude it, and `*` after the beginning of a word. Write the word `or` between alternatives, up to ' +
          'eight. Each alternative must contain a word to search for.',
        examples: ['fence -"garden fence"'],
      }),
      kinds: severalOf(z.enum(kinds), `one of ${kinds.join(', ')}`, {
        most: kinds.length,
        description: 'The kinds to search. Default: all.',
        means: '',
      }).optional(),
      projectId: severalIds([], { description: 'Searches only in these projects.', means: '' }).optional(),
      limit: wholeNumber(1, most)
        .default(usual)
        .meta({
          description: `The maximum number of results of each kind. Default: ${usual}.`,
          ...{ type: 'integer', minimum: 1, maximum: most, default: usual },
        }),
      cursor: Id.optional().meta({
        description:
          'The `nextCursor` of one group. It continues the results of that kind. Send only that kind as `kinds`. The ' +
          'cursor is opaque: do not change it.',
        format: 'uuid',
      }),
    }),
    returns: Found,
    async handle({
      db,
      caller,
      cursors,
      query: { q: search, kinds: wanted = kinds, projectId: within, limit, cursor },
    }) {
      const { text, query } = search
      if (hasOnlyExclusions(query)) throw invalid({ q: ['Must contain a word to search for, not only excluded words'] })
      const [only = 'task', ...others] = wanted
      if (cursor !== undefined && others.length > 0)
        throw invalid({ cursor: ['Continues one kind: name only that kind in kinds'] })
      const { orgId } = caller
      const idBound = cursor === undefined ? undefined : cursors.open(orgId, `search ${only}`, cursor).idBound
      if (query.length === 0) return { groups: [] }
      const sought = soughtOf(query)
      const looked: SearchRequest = { steps: new Steps(orgId), bytes: 0 }
      const read = async (kind: KindName): Promise<Group> => {
        const key = kind === 'task' && keyForm.test(text.toUpperCase()) ? text.toUpperCase() : undefined
        const more = key === undefined ? 1 : 2
        const rows = await db.rows<FoundRow>(
          hitsFound(caller, kind, { query, key, limit: limit + more, idBound, within }),
        )
        const found = rows.slice(0, limit + 1)
        const [page, next] = [found.slice(0, limit), found[limit]]
        const last = page.at(-1)
        return {
          kind,
          hits: await hitsOf(kind, page, sought, looked),
          nextCursor:
            last && next ? cursors.seal(orgId, `search ${kind}`, { id: last.byKey ? above(next.id) : last.id }) : null,
        }
      }
      const groups = await Promise.all(kinds.filter((kind) => wanted.includes(kind)).map(read))
      return { groups: groups.filter(({ hits }) => hits.length > 0) }
    },
  }),
]

type FoundRow = HitRow & { byKey: boolean }

/** The texts that one request has read so far. */
interface SearchRequest {
  steps: Steps
  /** of all texts searched for snippets */
  bytes: number
}

/** After very many bytes, this reads only the beginning of each further text. */
async function hitsOf(kind: KindName, page: readonly FoundRow[], sought: readonly SearchTerm[], looked: SearchRequest) {
  const hits: Hit[] = []
  for (const { byKey, ...row } of page) {
    looked.bytes += bytesOf(row.name) + bytesOf(row.text)
    const most = looked.bytes <= mostBytes ? undefined : beginning
    hits.push(await looked.steps.run(hitOf(kind, row, sought, { byKey, most })))
  }
  return hits
}

const bytesOf = (text: string | null) => Buffer.byteLength(text ?? '')
// fifty of the longest texts, in ASCII
const mostBytes = 2_500_000
const beginning = 1_000

/** An id above this one, but below all that are a millisecond newer. */
const above = (id: string) => firstIdOf(new Date(timeOf(id).getTime() + 1).toISOString())

/** The search for one kind. */
interface KindQuery {
  query: Query
  /** for tasks: the key of a task that is also found, and comes first */
  key?: string | undefined
  limit: number
  /** only hits with smaller ids, and not the task with the key */
  idBound?: string | undefined
  within?: readonly string[] | undefined
}

/** Statement: the hits of a kind, newest first, after the task with the key. */
function hitsFound(caller: Caller, name: KindName, { query, key, limit, idBound, within }: KindQuery): Sql {
  const { orgId } = caller
  const kind = searchedKinds[name]
  const { table } = kind
  const isOfKey = key === undefined ? undefined : sql`tasks.key = ${key}`
  const matching = sql.all(matches(kind, orgId, query), isOfKey && sql`not ${isOfKey}`)
  const behind = idBound === undefined ? undefined : sql`${table}.id < ${idBound}`
  const ids = newestFound(kind, caller, { matching, within, limit, behind })
  const found = sql`select found.id, false as "byKey" from (${ids}) found`
  const there = sql.all(
    sql`${table}.org_id = ${orgId} and ${table}.deleted_at is null`,
    isOfKey,
    seenBy(caller, kind, within),
  )
  const byKey = isOfKey && idBound === undefined && sql`union all select ${table}.id, true from ${table} where ${there}`
  return sql`
    select ${shown(kind)} from (${found} ${byKey || sql.empty}) page
    ${sql.join(joins(kind, orgId), ' ')} order by page."byKey" desc, page.id desc`
}

const none = sql`null::text`
const names = (named: Sql) => sql`json_build_object('id', ${named}.id, 'key', ${named}.key, 'name', ${named}.name)`

const shown = ({ table, key = none, name = none, text = none, memberId = none, taskId }: SearchKind) => sql`
  page.id, page."byKey", ${key} as key, ${name} as name, ${text} as text, ${names(sql`project`)} as project,
  ${taskId ? names(sql`task`) : none} as task, ${memberId} as "memberId", ${table}.created_at as "createdAt"`

// offset 0 looks up each row by itself: in a free join, the planner could build the page again for each row of the
// table
const joins = ({ table, projectId, taskId }: SearchKind, orgId: string) => [
  sql`cross join lateral (select * from ${table} where ${table}.org_id = ${orgId} and ${table}.id = page.id offset 0) ${table}
    cross join lateral (
      select * from projects project where project.org_id = ${orgId} and project.id = ${projectId} offset 0) project`,
  taskId
    ? sql`cross join lateral (
        select * from tasks task where task.org_id = ${orgId} and task.id = ${taskId(orgId)} offset 0) task`
    : sql.empty,
]
