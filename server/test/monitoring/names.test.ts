import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createJobMetrics } from '../../src/monitoring/jobs.ts'
import { createMetrics } from '../../src/monitoring/metrics.ts'
import { startServer } from '../support/world.ts'

const { db, base, newWorld } = await startServer()
const operator = { authorization: 'Bearer the-token-of-the-operator' }
const page = readFileSync(new URL('../../../docs/monitoring.md', import.meta.url), 'utf8')

/** What the page tells of metrics: their names, each with its labels. */
const told = new Map(
  [...page.slice(page.indexOf('## Metrics')).matchAll(/^\| `([a-z_]+)`(?: by ([^|]+?))? \| [^|]+ \|$/gm)].map(
    ([, name = '', labels = '']) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).toSorted()],
  ),
)

test('the monitoring page lists every metric and no other, with its labels', async () => {
  const { owner } = await newWorld()
  await owner.post('/tags', { name: 'A tag' })
  const jobs = createJobMetrics()
  jobs.backups()
  jobs.mail()
  const texts = [await createMetrics(db, { version: 'test', ofProcess: true }).text(), await jobs.text()]
  const shown = texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name = '']) => name))
  const ofTheLibrary = /^(process|nodejs)_/
  assert.deepEqual(shown.filter((name) => !ofTheLibrary.test(name)).toSorted(), [...told.keys()].toSorted())
  const scraped = await (await fetch(`${base}/metrics`, { headers: operator })).text()
  for (const line of scraped.split('\n').filter((one) => /^\w+\{/.test(one))) {
    const [, name = '', labels = ''] = /^(\w+)\{(.*)\}/.exec(line) ?? []
    const known = told.get(name) ?? told.get(name.replace(/_(bucket|sum|count)$/, ''))
    const own = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le')
    assert.deepEqual(own.toSorted(), known, line)
  }
})

test('outside input makes no further series: ids, words, unknown methods and paths', async () => {
  const { owner, tag } = await newWorld()
  const series = async () => {
    const text = await (await fetch(`${base}/metrics`, { headers: operator })).text()
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
  }
  const ask = async () => {
    const { id } = await tag()
    await owner.get(`/tags/${id}`)
    await owner.get(`/tags?q=${Math.random()}`)
    await owner.get(`/nothing/${Math.random()}`)
    await owner.call('PROPFIND', '/tags')
    await fetch(`${base}/${Math.random()}`)
  }
  await ask()
  const before = await series()
  for (let n = 0; n < 5; n++) await ask()
  assert.equal(await series(), before)
})

test('statements are counted by the operation that they are for', async () => {
  const { owner } = await newWorld()
  const counted = async () => {
    const text = await (await fetch(`${base}/metrics`, { headers: operator })).text()
    const value = (name: string) =>
      Number(new RegExp(`^${name}\\{operation="taskTypes.list"\\} (.+)$`, 'm').exec(text)?.[1] ?? 0)
    return [value('database_statement_duration_seconds_count'), value('database_statement_rows_total')]
  }
  await owner.post('/task-types', { name: 'A type' })
  await owner.get('/task-types')
  const [statements = 0, rows = 0] = await counted()
  assert.ok(statements >= 1 && rows >= 1, `${statements} statements, ${rows} rows`)
  for (let n = 0; n < 3; n++) await owner.get('/task-types')
  const [after = 0] = await counted()
  assert.ok(after >= statements + 3, `${after} after ${statements}`)
})
