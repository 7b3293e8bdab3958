import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { newId } from '../../src/db/ids.ts'
import type { Database } from '../../src/db/pool/database.ts'
import { sessionSettings, setSession } from '../../src/db/pool/session.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { tablesOfTheInstance } from '../support/catalogue.ts'
import { asNamed, idFiltersOf, inUsefulOrder, lineOf, startScenes, wordsOf } from '../support/scene.ts'
import { notingStatements } from '../support/sent.ts'
import { databaseUrl } from '../support/world.ts'

const { db, scene } = await startScenes()

const sent = notingStatements(db)

test('every operation succeeds with its sample body, and each of its statements reads only one organization, in a way that Citus takes', async () => {
  for (const caller of ['owner', 'member'] as const) {
    const { ask, world, open } = await scene()
    for (const route of inUsefulOrder) {
      if (caller === 'member' && !(route.roles as readonly string[]).includes('member')) continue
      const headers: Record<string, string> = route.method === 'POST' ? { 'idempotency-key': newId() } : {}
      const { status, text } = await ask(world[caller], route, { ...asNamed(route), headers })
      if (route.method === 'POST') await ask(world[caller], route, { headers })
      assert.ok(status < 300 || caller === 'member', `${lineOf(route)} is ${status}: ${text}`)
      for (const part of wordsOf(route, 'include')) await ask(world[caller], route, { query: `?include=${part}` })
      for (const filter of idFiltersOf(route)) await ask(world[caller], route, { query: `?${filter}=${open.projects}` })
    }
  }
  let statements = 0
  const all = sent.splice(0)
  const varying = await namesOfVaryingFunctions(db)
  for (const { statement, plan } of await plansOf(all)) {
    assert.deepEqual(unboundIn(plan), [], statement)
    assert.deepEqual(
      returnedBy(statement).filter((name) => varying.has(name)),
      [],
      statement,
    )
    assert.deepEqual(sourcelessIn(plan, statement), [], statement)
    // each node has advisory locks of its own: those of an organization are where its rows are
    assert.ok(!statement.includes('pg_advisory_xact_lock') || readsTable(plan), statement)
    statements++
  }
  assert.ok(statements > 100)
})

/** How PostgreSQL would run each of the statements that the server has sent, reads and writes, whatever its values. */
async function plansOf(sent: readonly Sql[]): Promise<{ statement: string; plan: Plan }[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await setSession(client, sessionSettings.reads)
    const plans: { statement: string; plan: Plan }[] = []
    for (const [statement, { values }] of new Map(sent.map((one) => [one.text, one]))) {
      await client.query(`prepare asked as ${statement}`)
      const given = values.length === 0 ? '' : `(${values.map(() => 'null')})`
      const { rows } = await client.query(`explain (format json) execute asked${given}`)
      plans.push({ statement, plan: rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail(`no plan of ${statement}`) })
      await client.query('deallocate asked')
    }
    return plans
  } finally {
    await client.end()
  }
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Operation?: string
  Plans?: Plan[]
}

/** The tables that a plan reads without naming the organization whose rows it wants; that of another row is a name only for PostgreSQL. */
function unboundIn(plan: Plan): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans = [] } = plan
  const conditions = [plan['Index Cond'], plan['Recheck Cond'], plan.Filter].join()
  // a node that modifies reads through the nodes below it
  const reads = table !== undefined && type !== 'ModifyTable' && !tablesOfTheInstance.includes(table)
  return [...(reads && !/\borg_id = \$\d/.test(conditions) ? [table] : []), ...Plans.flatMap(unboundIn)]
}

/** Those whose answer is not decided by their arguments alone; of some names there are others too. */
async function namesOfVaryingFunctions(db: Database): Promise<Set<string>> {
  const rows = await db.rows<{ name: string }>(
    sql`select distinct proname as name from pg_proc where provolatile <> 'i'`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** The functions that stand in what a statement returns of the rows it writes; there Citus refuses those that vary. */
const returnedBy = (statement: string): string[] =>
  [...statement.matchAll(/\breturning\b([^;]*)/g)].flatMap(([, columns = '']) =>
    [...columns.matchAll(/\b(\w+)\(/g)].map(([, name = '']) => name),
  )

/** The tables into which a statement selects rows that come from no table: Citus fetches such and sends them to the nodes again. */
function sourcelessIn(plan: Plan, statement: string): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans = [], Operation: operation } = plan
  const inserts = type === 'ModifyTable' && operation === 'Insert'
  const selects = new RegExp(`insert into ${table}\\b[^$]*?\\)\\s*select\\b`).test(statement)
  return [
    ...(inserts && selects && !Plans.some(readsTable) ? [table] : []),
    ...Plans.flatMap((below) => sourcelessIn(below, statement)),
  ]
}

const readsTable = ({ 'Relation Name': table, Plans = [] }: Plan): boolean =>
  table !== undefined || Plans.some(readsTable)
