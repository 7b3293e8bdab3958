import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Sql, sql } from '../../src/db/sql.ts'
import type { Job } from '../../src/jobs/job.ts'
import { organizationsWith } from '../../src/jobs/organizations.ts'
import { startJobs } from '../../src/jobs/schedule.ts'
import { afterwards } from '../support/afterwards.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

const ofJobs = sql`
  select pid from pg_stat_activity where application_name = 'taskwright-jobs' and datname = current_database()`

/** A process, as far as jobs go. */
function started(t: TestContext, ...jobs: Job[]) {
  const logged: Record<string, unknown>[] = []
  const runs: { job: string; failures: number }[] = []
  const stop = startJobs(jobs, {
    connection: { connectionString: url },
    logger: { warn: (said) => void logged.push(said as Record<string, unknown>) },
    ran: (job, _, failures) => void runs.push({ job, failures }),
  })
  afterwards(t, stop)
  return { stop, logged, runs, ran: (times: number) => until(() => runs.length >= times) }
}

async function until(holds: () => boolean | Promise<boolean>) {
  const waiting = async () => {
    while (!(await holds())) await wait(5)
  }
  await inTime(waiting(), 'It does not come to that')
}

test('one process of all runs a job, and another one takes over when it ends or loses its connection', async (t) => {
  let inFlight = 0
  let most = 0
  const run = async () => {
    most = Math.max(most, ++inFlight)
    await wait(3)
    inFlight--
  }
  const job = { name: 'counting', everyMs: 5, run }
  const [one, other] = [started(t, job), started(t, job)]
  const isBusy = async ({ runs }: typeof one) => {
    const before = runs.length
    await wait(50)
    return runs.length > before
  }
  await until(() => one.runs.length + other.runs.length >= 5)
  const [first, second] = one.runs.length > 0 ? [one, other] : [other, one]
  assert.equal(second.runs.length, 0)
  await first.stop()
  await second.ran(5)
  assert.equal(most, 1)
  const third = started(t, job)
  const connected = async () => (await db.rows<{ pid: number }>(ofJobs)).map(({ pid }) => pid)
  await until(async () => (await connected()).length === 2)
  const before = await connected()
  await db.rows(sql`select pg_terminate_backend(pid) from unnest(${before}::integer[]) as pid`)
  // who connects anew is not in the run that was under way when the connection was lost
  await until(async () => (await connected()).filter((pid) => !before.includes(pid)).length === 2)
  most = 0
  await until(async () => (await isBusy(second)) || (await isBusy(third)))
  assert.equal(most, 1)
})

test('a run never begins while the last one runs, and one job does not wait for another', async (t) => {
  let inFlight = 0
  const slow = async () => {
    assert.equal(inFlight++, 0)
    await wait(40)
    inFlight--
  }
  const { runs, ran, logged } = started(
    t,
    { name: 'slow', everyMs: 1, run: slow },
    { name: 'quick', everyMs: 1, run: async () => {} },
  )
  await ran(20)
  await until(() => runs.filter(({ job }) => job === 'slow').length >= 3)
  const quick = runs.filter(({ job }) => job === 'quick').length
  assert.ok(quick > runs.length - quick)
  assert.deepEqual(logged, [])
})

test('a job that fails in one organization continues in the others, and the log names that organization', async (t) => {
  const worlds = [await newWorld(), await newWorld(), await newWorld()]
  const ids = worlds.map(({ orgId }) => orgId)
  const turns: string[] = []
  const run: Job['run'] = ({ db, inEach }) =>
    inEach(ids, async (orgId) => {
      turns.push(orgId)
      if (orgId === ids[1]) await db.rows(sql`select 1 / 0`)
      return turns.filter((other) => other === orgId).length < 3
    })
  const { logged, ran, runs } = started(t, { name: 'failing', everyMs: 3_600_000, run })
  await ran(1)
  assert.deepEqual(runs, [{ job: 'failing', failures: 1 }])
  assert.deepEqual(
    logged.map(({ job, orgId }) => [job, orgId]),
    [['failing', ids[1]]],
  )
  // by turns, so that none waits for all the work of another
  const [first, , last] = ids
  assert.deepEqual(turns, [...ids, first, last, first, last])
})

test('jobs take turns in an organization, and do not wait for a job in another organization', async (t) => {
  const ids = [(await newWorld()).orgId, (await newWorld()).orgId]
  const inFlight = new Map<string, number>()
  const mostOf = new Map<string, number>()
  let mostInAll = 0
  const job = (name: string, order: string[]): Job => {
    const left = new Map(order.map((orgId) => [orgId, 5]))
    const run: Job['run'] = ({ inEach }) =>
      inEach(order, async (orgId) => {
        inFlight.set(orgId, (inFlight.get(orgId) ?? 0) + 1)
        mostOf.set(orgId, Math.max(mostOf.get(orgId) ?? 0, inFlight.get(orgId) ?? 0))
        mostInAll = Math.max(
          mostInAll,
          [...inFlight.values()].reduce((sum, one) => sum + one),
        )
        // none waits for another: both organizations are worked in at a time
        await until(() => mostInAll >= 2)
        await wait(10)
        inFlight.set(orgId, (inFlight.get(orgId) ?? 0) - 1)
        left.set(orgId, (left.get(orgId) ?? 0) - 1)
        return (left.get(orgId) ?? 0) > 0
      })
    return { name, everyMs: 3_600_000, run }
  }
  const { ran } = started(t, job('forwards', ids), job('backwards', ids.toReversed()), job('also', ids))
  await ran(3)
  assert.deepEqual([...mostOf.values()], [1, 1])
  assert.equal(mostInAll, 2)
})

test('a job that fails as a whole runs again', async (t) => {
  const run = async () => assert.fail('as a whole')
  const { logged, ran } = started(
    t,
    { name: 'broken', everyMs: 5, run },
    { name: 'sound', everyMs: 5, run: async () => {} },
  )
  await ran(10)
  assert.ok(logged.length > 1)
  assert.equal(logged[0]?.job, 'broken')
})

test('on a read-only database no job runs, until it takes writes again', async (t) => {
  const name = new Sql([new URL(url).pathname.slice(1)], [])
  const only = (reads: 'on' | 'off') => {
    const value = new Sql([reads], [])
    return db.rows(sql`alter database ${name} set default_transaction_read_only = ${value}`)
  }
  await only('on')
  t.after(() => only('off'))
  const { runs, ran, logged } = started(t, { name: 'writing', everyMs: 5, run: async () => {} })
  await wait(100)
  assert.deepEqual([runs, logged], [[], []])
  await only('off')
  await ran(1)
})

test('jobs stop without waiting for their current statement', async (t) => {
  const sleeping = sql`
    select 1 from pg_stat_activity
    where query like 'select pg_sleep(%' and state = 'active' and datname = current_database()`
  const isSleeping = async () => (await db.rows(sleeping)).length > 0
  const run: Job['run'] = async ({ db }) => void (await db.rows(sql`select pg_sleep(${9})`))
  const { stop, runs, logged } = started(t, { name: 'sleeping', everyMs: 5, run })
  await until(isSleeping)
  await stop()
  assert.ok(await isSleeping())
  assert.deepEqual([runs, logged], [[], []])
})

test('the organizations with work to do are found by the rows that need it, each of them once', async () => {
  const [one, other, third] = [await newWorld(), await newWorld(), await newWorld()]
  await one.tag({ name: 'wanted' })
  await other.tag({ name: 'wanted' })
  await other.taskType({ name: 'wanted' })
  const having = (table: typeof sql.empty) =>
    sql`${table} where ${table}.org_id = organizations.org_id and ${table}.name = 'wanted'`
  const found = await organizationsWith(db, having(sql`tags`), having(sql`task_types`))
  assert.deepEqual([...found].toSorted(), [one.orgId, other.orgId].toSorted())
  assert.ok(!found.has(third.orgId))
})

for (const workers of ['1', '2']) {
  test(`/metrics says for each job when it last ran, for how long and how often it failed, with WORKERS=${workers}`, async (t) => {
    const { base } = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: workers })
    const metrics = async () => (await fetch(`${base}/metrics`)).text()
    for (const job of ['purge', 'reaping']) {
      const said = (name: string) => new RegExp(`^${name}{job="${job}"} ([0-9.e-]+)$`, 'm')
      await until(async () => said('job_last_run_timestamp_seconds').test(await metrics()))
      const text = await metrics()
      assert.match(text, said('job_last_duration_seconds'))
      assert.equal(said('job_failures_total').exec(text)?.[1], '0')
      assert.match(text, /^http_requests_total/m)
    }
  })
}
