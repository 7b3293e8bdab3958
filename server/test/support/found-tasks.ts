import assert from 'node:assert/strict'
import type { Db } from '../../src/db/db.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import type { Api, World } from './world.ts'

/** Tasks that a caller asks for, page by page. */
interface Asked {
  caller: Api
  /** of the list, without its limit */
  query: string
  /** condition: the same, beside what the caller sees */
  which: Sql
  /** how many are looked at, at least */
  most: number
}

/** Asserts that the pages of a list hold what the simplest statement finds: newest first, and once each. */
export async function assertFound(db: Db, world: World, { caller, query, which, most }: Asked, name: string) {
  const seen = sql`select project_id from project_members where org_id = ${world.orgId} and member_id = ${caller.memberId}`
  const expected = await db.rows<{ id: string }>(sql`
    select tasks.id from tasks join projects on projects.org_id = ${world.orgId} and projects.id = project_id
    where tasks.org_id = ${world.orgId} and tasks.deleted_at is null and projects.deleted_at is null
      and ${which} and ${caller === world.owner ? sql`true` : sql`project_id in (${seen})`}
    order by tasks.id desc limit ${most}::integer`)
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null && ids.length < most; ) {
    const { status, text, body } = await caller.get(
      `/tasks?${query}&fields=id&limit=40${cursor && `&cursor=${cursor}`}`,
    )
    assert.equal(status, 200, text)
    ids.push(...body.data.map((task: { id: string }) => task.id))
    cursor = body.pagination.nextCursor
  }
  assert.deepEqual(
    ids.slice(0, most),
    expected.map((task) => task.id),
    `${name}, ${query}`,
  )
}
