import type { Db } from '../../src/db/db.ts'
import { type Sql, sql } from '../../src/db/sql.ts'

interface Labels {
  tagId?: string
  typeId?: string
  assigneeId?: string
}

/** Copies a task so many times, straight into the tables; the copies bear these labels. @returns their ids, ascending */
export async function manyTasks(db: Db, orgId: string, taskId: string, count: number, labels: Labels) {
  const { tagId, typeId = null, assigneeId } = labels
  await db.rows(sql`
    insert into tasks (org_id, id, project_id, number, key, name, type_id, tag_ids, assignee_ids, created_by, created_at,
      updated_at)
    select org_id, ${idOf(sql`n`)}, project_id, number + 1000 + n, split_part(key, '-', 1) || '-' || number + 1000 + n,
      'One of many', ${typeId}::uuid, ${tagId ? [tagId] : []}::uuid[], ${assigneeId ? [assigneeId] : []}::uuid[], created_by,
      created_at, updated_at
    from tasks, ${numbers(count)} where org_id = ${orgId} and id = ${taskId}`)
  const joins: [table: Sql, id: string | undefined][] = [
    [sql`task_tags`, tagId],
    [sql`task_assignees`, assigneeId],
  ]
  for (const [table, id] of joins) {
    if (id)
      await db.rows(
        sql`insert into ${table} select ${orgId}::uuid, ${idOf(sql`n`)}, ${id}::uuid from ${numbers(count)}`,
      )
  }
  const rows = await db.rows<{ id: string }>(sql`select ${idOf(sql`n`)} as id from ${numbers(count)} order by n`)
  return rows.map(({ id }) => id)
}

/** Makes a member of so many projects more, which are made for it. */
export async function manyMemberships(db: Db, orgId: string, memberId: string, count: number) {
  await db.rows(sql`
    insert into projects (org_id, id, name, name_key, key, created_at, updated_at)
    select ${orgId}::uuid, ${idOf(sql`n`)}, 'One of many', 'one of many', 'QZ' || n, now(), now() from ${numbers(count)}`)
  await db.rows(sql`
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select ${orgId}::uuid, ${idOf(sql`n`)}, ${memberId}::uuid, 'contributor', now(), now() from ${numbers(count)}`)
}

const numbers = (count: number): Sql => sql`generate_series(1, ${count}::int) n`

/** The id of the n-th copy: of its own millisecond, as cursors take a row for where it stands in time. */
const idOf = (n: Sql): Sql => sql`(
  regexp_replace(lpad(to_hex(${1_750_000_000_000}::bigint + ${n}), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7000-8000-000000000000')
)::uuid`
