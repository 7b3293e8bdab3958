import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { plannedServer, readsOf } from '../support/slow/plans.ts'
import { fillUnevenly, viewersOf } from '../support/slow/skewed.ts'
import type { Api } from '../support/world.ts'

const { db, newWorld, planner } = await plannedServer()

const fewLists = 64

const looks = onPlainPostgres('it looks into plans')

const found = async ({ get }: Api, q: string) =>
  (await get(`/tasks?q=${encodeURIComponent(q)}`)).body.data.map(({ name }: { name: string }) => name).toSorted()

test('a word is found by how it begins behind very many that were there once, whoever asks', async () => {
  const { orgId, owner, member, addToProject, project, task } = await newWorld()
  const projects = [await project(), await project()]
  for (const { id } of projects) await addToProject(id, member, 'viewer')
  for (const [i, { id }] of projects.entries()) {
    await task({ projectId: id, name: `stem9${i}` })
    await db.rows(sql`
      insert into vocabulary (org_id, kind, project_id, word, id)
      select ${orgId}, 1, ${id}, 'stem' || ${i}::integer || n, ${id} from generate_series(10, 300) n`)
  }
  await task({ projectId: projects[1]?.id, name: 'stem00' })
  for (const caller of [owner, member]) {
    assert.deepEqual(await found(caller, 'stem*'), ['stem00', 'stem90', 'stem91'])
    assert.deepEqual(await found(caller, 'stem9*'), ['stem90', 'stem91'])
    assert.deepEqual(await found(caller, 'stem1*'), [])
  }
})

test('each word that begins so is looked for once, and not in each project, whoever asks', looks, async () => {
  const world = await newWorld()
  await fillUnevenly(db, [{ world, tasks: 3_000 }])
  await db.rows(sql`vacuum analyze`)
  const [begun] = await db.rows<{ words: number }>(sql`
    select count(distinct word)::integer as words from postings where org_id = ${world.orgId} and word like 'w%'`)
  const words = begun?.words ?? 0
  assert.ok(words > 0)
  const wrong: string[] = []
  for (const [name, caller] of Object.entries(await viewersOf(db, world))) {
    const plans = await planner.plansOf(() => caller.get('/tasks?limit=50&q=w*'))
    const lookUps = plans
      .flatMap(readsOf)
      .filter((step) => step['Index Name'] === 'postings_pkey')
      .reduce((sum, step) => sum + step['Actual Loops'], 0)
    // where they are few, the newest of each word in each project are read
    if (lookUps > fewLists + 2 * words) wrong.push(`${name}: ${lookUps} times for ${words} words`)
  }
  assert.deepEqual(wrong, [])
})
