import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { customPlan, sessionSettings, setSession } from '../../src/db/pool/session.ts'
import { notingStatements } from '../support/sent.ts'
import { fillUnevenly, idsIn, memberOf } from '../support/slow/skewed.ts'
import { databaseUrl, startServer } from '../support/world.ts'

const { db, newWorld } = await startServer()

const world = await newWorld()
await fillUnevenly(db, [{ world, tasks: 2_500 }])
const id = await idsIn(db, world)

const forbidding = (...names: string[]) => names.map((name) => `set local enable_${name} = off`)
const costless = [
  'parallel_setup_cost',
  'parallel_tuple_cost',
  'min_parallel_table_scan_size',
  'min_parallel_index_scan_size',
]

/** What makes PostgreSQL plan otherwise than it would. */
const settings: Record<string, string[]> = {
  'merges alone': forbidding('nestloop', 'hashjoin', 'hashagg'),
  'no indexes': forbidding('indexscan', 'indexonlyscan', 'bitmapscan'),
  'no sorts': forbidding('sort', 'incremental_sort'),
  'workers beside': [
    ...costless.map((name) => `set local ${name} = 0`),
    ...forbidding('indexonlyscan'),
    'set local max_parallel_workers_per_gather = 4',
  ],
}

test('a page has the same rows in the same order with any plan of PostgreSQL', async () => {
  const filters = [
    '',
    `&projectId=${id('Project 98')},${id('Project 2')}`,
    `&assigneeId=${id('Member 1')}&completed=false`,
  ]
  const paths = ['', '&sort=dueDate', '&sort=-completedAt'].flatMap((sort) =>
    filters.map((filter) => `/tasks?fields=id&limit=40${sort}${filter}`),
  )
  paths.push('/time-entries?limit=40', `/time-entries?limit=40&billable=true`)
  const member = await memberOf(db, world, 2, 21)
  const sent = notingStatements(db)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // without JIT above all: what is forbidden costs so much that all would be compiled
  await setSession(client, { ...sessionSettings.reads, ...customPlan })
  for (const [name, caller] of Object.entries({ owner: world.owner, member }))
    for (const path of paths) {
      sent.length = 0
      const { body } = await caller.get(path)
      const { nextCursor } = body.pagination
      if (nextCursor) await caller.get(`${path}&cursor=${nextCursor}`)
      for (const { text, values } of sent.splice(0)) {
        const asked = { text, values: [...values] }
        const { rows } = await client.query(asked)
        for (const [plan, statements] of Object.entries(settings)) {
          await client.query(['begin', ...statements].join(';'))
          assert.deepEqual((await client.query(asked)).rows, rows, `${name}, ${path}: ${plan}`)
          await client.query('rollback')
        }
      }
    }
  await client.end()
})
