import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import type { Database } from '../../../src/db/pool/database.ts'
import { customPlan, sessionSettings, setSession } from '../../../src/db/pool/session.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { notingStatements } from '../sent.ts'
import { migratedDatabase, startServer } from '../world.ts'

/** A step of a plan that was run; numbers of rows are means over its loops. */
export interface Step {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Step[]
}

/** How PostgreSQL ran a statement. */
export interface Plan {
  statement: Sql
  root: Step
}

/** A server with a database of its own, because plans depend on all that is in the tables, and how it runs its statements. */
export async function plannedServer() {
  const { url, drop } = await migratedDatabase()
  const server = await startServer({ url })
  const planner = await plannerOf(server.db, url)
  after(async () => {
    await planner.close()
    await drop()
  })
  return { ...server, planner, url }
}

/** From now on PostgreSQL learns of the tables only what it is told to: else a plan depends on whether it has just looked. */
export const withoutAutovacuum = (db: Database) =>
  db.rows(sql`do $$ declare name text; begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %I set (autovacuum_enabled = off)', name);
    end loop; end $$`)

/**
 * The statements that `work` makes the server send, each run once more to see how.
 * @param url of the database that `db` uses
 */
export async function plannerOf(db: Database, url: string) {
  const clientOf = {
    genericPlan: new pg.Client({ connectionString: url }),
    customPlan: new pg.Client({ connectionString: url }),
  }
  const clients = Object.values(clientOf)
  await Promise.all(clients.map((client) => client.connect()))
  await Promise.all([
    setSession(clientOf.genericPlan, sessionSettings.reads),
    setSession(clientOf.customPlan, { ...sessionSettings.reads, ...customPlan }),
  ])

  const explainedBy = { genericPlan: explaining(clientOf.genericPlan), customPlan: explaining(clientOf.customPlan) }
  const sent = notingStatements(db)
  return {
    async plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
      sent.length = 0
      await work()
      const plans: Plan[] = []
      for (const statement of sent.splice(0)) {
        const explained = explainedBy[statement.customPlan ? 'customPlan' : 'genericPlan']
        plans.push({ statement, root: await explained(statement) })
      }
      return plans
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  }
}

/** As the server has it run: prepared once, on a connection that is set as its own are. */
function explaining(client: pg.Client) {
  const names = new Map<string, string>()
  return async (statement: Sql): Promise<Step> => {
    const { text } = statement
    const name = names.get(text) ?? `asked_${names.size}`
    if (!names.has(text)) await client.query(`prepare ${name} as ${text}`)
    names.set(text, name)
    const values = statement.values.map(literal)
    const run = `execute ${name}${values.length === 0 ? '' : `(${values})`}`
    // what a write did is not done again
    const answers: unknown = await client.query(
      `begin; explain (analyze, buffers, timing off, format json) ${run}; rollback`,
    )
    return explanationIn(answers) ?? assert.fail(`no plan of ${text}`)
  }
}

/** That of the statement in the middle. */
const explanationIn = (answers: unknown): Step | undefined =>
  (answers as pg.QueryResult[])[1]?.rows[0]?.['QUERY PLAN'][0].Plan

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item))}}` : String(value))
}

/** The steps that read rows: from a table, or positions of rows from an index. */
export const readsOf = ({ root }: Plan): Step[] =>
  stepsOf(root).filter(
    (step) =>
      (step['Relation Name'] !== undefined && step['Node Type'] !== 'ModifyTable') ||
      step['Node Type'] === 'Bitmap Index Scan',
  )

/** How many rows a step looked at, whether it passed them on or not. */
export const touchedBy = (step: Step): number =>
  (step['Actual Rows'] +
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Index Recheck'] ?? 0) +
    (step['Rows Removed by Join Filter'] ?? 0)) *
  step['Actual Loops']

/** How many pages of tables and indexes a plan read, be it from memory, each as often as it did. */
export const pagesOf = ({ root }: Plan): number => root['Shared Hit Blocks'] + root['Shared Read Blocks']

/** How many rows a plan looked at. */
export const touched = (plan: Plan): number => readsOf(plan).reduce((sum, step) => sum + touchedBy(step), 0)

/** How many rows all steps of a plan pass on together, be they read or made. */
export const passedOn = ({ root }: Plan): number =>
  stepsOf(root).reduce((sum, step) => sum + step['Actual Rows'] * step['Actual Loops'], 0)

/** How many rows a plan puts in order. */
export const sorted = ({ root }: Plan): number =>
  stepsOf(root)
    .filter((step) => step['Node Type'] === 'Sort' || step['Node Type'] === 'Incremental Sort')
    .flatMap(({ Plans = [] }) => Plans)
    .reduce((most, step) => Math.max(most, step['Actual Rows'] * step['Actual Loops']), 0)

/** How many joins a plan has. */
export const joinsOf = ({ root }: Plan): number =>
  stepsOf(root).filter((step) => /Join$|^Nested Loop$/.test(step['Node Type'])).length

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

/** The tables that a plan reads from end to end, or by an index that is not asked for one organization. Lexemes begin with it. */
export const unindexed = (plan: Plan): string[] =>
  readsOf(plan).flatMap((step) => {
    const asked = `${step['Index Cond']} ${step['Recheck Cond']}`
    return step['Relation Name'] !== undefined && !/\borg_id = |\blexemes @@ /.test(asked)
      ? [step['Relation Name']]
      : []
  })
