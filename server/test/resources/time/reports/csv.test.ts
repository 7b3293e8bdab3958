import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../../support/world.ts'

const { base, newWorld } = await sharedServer()

/** Reads a report as CSV, past the client that takes all for JSON. */
async function csv(key: string, query: string, accept = 'text/csv', method = 'GET', of = 'time') {
  const headers = { authorization: `Bearer ${key}`, accept }
  const response = await fetch(`${base}/api/v1/reports/${of}?${query}`, { method, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function setUp(name: string) {
  const world = await newWorld()
  const project = await world.project({ name })
  const task = await world.task({ projectId: project.id })
  await world.timeEntry({ taskId: task.id, startedAt: '2026-03-01T10:00:00Z', durationSeconds: 90, billable: true })
  return { ...world, project, key: world.owner.key }
}

test('a client that accepts text/csv gets a report as CSV: a header row, then a row for each group', async () => {
  const { key, project, owner } = await setUp('Web')
  const { status, headers, text } = await csv(key, 'groupBy=project,day')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.equal(
    text,
    `projectId,project,dayId,day,seconds,billableSeconds,entries\r\n${project.id},Web,2026-03-01,2026-03-01,90,90,1\r\n`,
  )
  const json = await owner.get('/reports/time?groupBy=project,day', { accept: 'application/json' })
  assert.match(json.headers.get('content-type') ?? '', /^application\/json/)
})

test('a report comes in the format that Accept prefers, and in JSON by default', async () => {
  const { key } = await setUp('Web')
  const forms: [accept: string, form: RegExp][] = [
    ['text/csv, application/json;q=0.9', /^text\/csv/],
    ['application/json;q=0.4, text/csv;q=0.5', /^text\/csv/],
    ['text/*', /^text\/csv/],
    ['text/csv; charset=UTF-8; header=present', /^text\/csv/],
    ['*/*;q=0.1, text/csv', /^text\/csv/],
    ['text/csv;q=0.5, application/json', /^application\/json/],
    ['application/json, text/csv', /^application\/json/],
    ['text/csv;q=0', /^application\/json/],
    ['text/csvx', /^application\/json/],
    ['image/png', /^application\/json/],
    ['', /^application\/json/],
  ]
  for (const [accept, form] of forms) {
    for (const of of ['time', 'tasks']) {
      const { headers } = await csv(key, 'groupBy=project', accept, 'GET', of)
      assert.match(headers.get('content-type') ?? '', form, `${of} ${accept}`)
    }
  }
})

test('both formats of a report tell caches that they differ by Accept', async () => {
  const { key } = await setUp('Web')
  for (const accept of ['text/csv', '*/*']) {
    const { headers } = await csv(key, 'groupBy=day', accept)
    assert.match(headers.get('vary') ?? '', /\baccept\b/i)
  }
})

test('names with commas, quotes and line breaks are quoted', async () => {
  const { key } = await setUp('A "good",\nlong name')
  const { text } = await csv(key, 'groupBy=project')
  assert.ok(text.includes(',"A ""good"",\nlong name",90,90,1\r\n'))
})

test('a name that a spreadsheet would take for a formula becomes text', async () => {
  for (const name of ['=1+2', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x","y")']) {
    const { key } = await setUp(name)
    const { text } = await csv(key, 'groupBy=project')
    const cell = text.split('\r\n')[1]?.slice(37) ?? ''
    assert.match(cell, /^"?'/, name)
    assert.ok(cell.replaceAll('""', '"').includes(`'${name}`), name)
  }
})

test('a spreadsheet that uses another separator or reads wide characters does not take a name for a formula', async () => {
  for (const [name, safe] of [
    ['x;=1+1;y', "x;'=1+1;y"],
    ['x;; @SUM(A1)', "x;;' @SUM(A1)"],
    ['x|-1', "x|'-1"],
    ['x\t=1', "x\t'=1"],
    ['x\n+1', "x\n'+1"],
    ['x;"=1+1;y', `x;'"=1+1;y`],
    ['x; " =1+1', `x;' " =1+1`],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a = b - c', 'a = b - c'],
  ] as const) {
    const { key } = await setUp(name)
    const { text } = await csv(key, 'groupBy=project')
    assert.ok(
      text.includes(
        safe === name ? `,${safe},` : /[;|\t\n]/.test(safe) ? `,"${safe.replaceAll('"', '""')}",` : `,${safe},`,
      ),
      `${name}: ${text}`,
    )
  }
})

test('a group without a value has empty cells', async () => {
  const { key } = await setUp('Web')
  assert.equal((await csv(key, 'groupBy=tag')).text, 'tagId,tag,seconds,billableSeconds,entries\r\n,,90,90,1\r\n')
})

test('a refusal is JSON, whatever the client accepts', async () => {
  const { key } = await setUp('Web')
  const refused = await csv(key, 'groupBy=nothing')
  assert.equal(refused.status, 422)
  assert.equal(JSON.parse(refused.text).error, 'Validation failed')
})

test('HEAD gets the response of GET, without the body', async () => {
  const { key } = await setUp('Web')
  for (const accept of ['text/csv', 'application/json']) {
    const [get, head] = [await csv(key, 'groupBy=day', accept), await csv(key, 'groupBy=day', accept, 'HEAD')]
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
  }
})
