import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { inCopyTransaction } from '../../../src/db/copy/copy-transaction.ts'
import { setIndexesAside } from '../../../src/db/copy/indexes.ts'
import { prefixOf } from '../../../src/db/lexemes.ts'
import type { Database } from '../../../src/db/pool/database.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import type { Api, World } from '../world.ts'

const script = await readFile(new URL('skewed.sql', import.meta.url), 'utf8')

/** An organization to be filled, and with how many tasks. */
export interface Wanted {
  world: World
  tasks: number
}

const tables = ['tasks', 'task_assignees', 'task_tags', 'subtasks', 'comments', 'time_entries', 'time_entry_tags']

/**
 * Fills organizations with 300 days of work that is unevenly spread, as work is: 100 projects, of which three hold most
 * tasks and one is small and old; tags, words, types and assignees that are common, seldom and rare; 2,000 members.
 */
export const fillUnevenly = (db: Database, organizations: readonly Wanted[]): Promise<void> =>
  inCopyTransaction(db, async (load) => {
    const indexed = await setIndexesAside(load, tables)
    await load.query(
      `create temporary table skew on commit drop as
       select org_id, owner_id, tasks, 4 * tasks / 3 as entries, began, ended,
         (extract(epoch from began) * 1000)::bigint as first_ms, (extract(epoch from ended) * 1000)::bigint as last_ms
       from unnest($1::uuid[], $2::uuid[], $3::integer[]) wanted (org_id, owner_id, tasks),
         lateral (select date_trunc('day', current_timestamp) - interval '300 days' as began,
           date_trunc('minute', current_timestamp) as ended) moments`,
      [
        organizations.map(({ world }) => world.orgId),
        organizations.map(({ world }) => world.owner.memberId),
        organizations.map(({ tasks }) => tasks),
      ],
    )
    await load.query(script)
    await load.query(
      `update projects set last_task_number = counted.tasks
       from (select org_id, project_id, count(*) as tasks from tasks join skew using (org_id) group by org_id, project_id) counted
       where projects.org_id = counted.org_id and projects.id = counted.project_id`,
    )
    await indexed()
    await load.query('analyze')
  })

/** SQL: what a text is found by that has words in ASCII with a space between each. */
export const lexemesOf = (orgId: string, text: Sql): Sql => sql`(
  select string_agg(${prefixOf(orgId)} || word || ':' || place || 'A', ' ')::tsvector
  from unnest(string_to_array(lower(${text}), ' ')) with ordinality as words (word, place))`

/** The ids in such an organization, by name: `Project 98`, `Stage 2 of Board 98`, `Task 1`. */
export async function idsIn(db: Database, { orgId }: World): Promise<(name: string) => string> {
  const rows = await db.rows<{ name: string; id: string }>(sql`
    select name, id from projects where org_id = ${orgId}
    union all select name, id from members where org_id = ${orgId}
    union all select name, id from tags where org_id = ${orgId}
    union all select name, id from task_types where org_id = ${orgId}
    union all select name, id from workspaces where org_id = ${orgId}
    union all select stages.name || ' of ' || workspaces.name, stages.id from stages
      join workspaces on workspaces.org_id = ${orgId} and workspaces.id = workspace_id where stages.org_id = ${orgId}
    union all select 'Task ' || number, id from tasks where org_id = ${orgId} and number < 1000
    union all select 'Subtask ' || position, id from subtasks where org_id = ${orgId} and position < 1000`)
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  return (name) => ids.get(name) ?? assert.fail(`There is no ${name}`)
}

/** Who sees all of such an organization, its projects, few small ones, and the smallest. */
export const viewersOf = async (db: Database, world: World): Promise<Record<string, Api>> => ({
  'the owner': world.owner,
  'a member of all projects': await memberOf(db, world, 1, 100),
  'a member of 20 small projects': await memberOf(db, world, 2, 21),
  'a member of one small and old project': await memberOf(db, world, 1, 1),
})

/** A member of the projects with these numbers. */
export async function memberOf(db: Database, world: World, first: number, last: number): Promise<Api> {
  const member = await world.join(`Member of ${first} to ${last}`, 'member')
  await db.rows(sql`
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select org_id, id, ${member.memberId}, 'contributor', created_at, created_at from projects
    where org_id = ${world.orgId} and substr(key, 2)::integer between ${first} and ${last}`)
  return member
}
