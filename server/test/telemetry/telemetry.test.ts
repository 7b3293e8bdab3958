import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { test } from 'node:test'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onMigratedDatabase, serving, thisVersion } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[]
}

/** What takes OTLP over HTTP as JSON, and what it was sent. */
async function collector(t: Scope, status = 200) {
  const seen = {
    spans: [] as Span[],
    services: new Set<string>(),
    metrics: new Map<string, unknown>(),
    text: '',
    requests: 0,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.requests++
    const text = Buffer.concat(chunks).toString()
    seen.text += text
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(text)
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { key, value } of resource.attributes) if (key === 'service.name') seen.services.add(value.stringValue)
      seen.spans.push(...scopeSpans.flatMap(({ spans }: { spans: Span[] }) => spans))
    }
    for (const { scopeMetrics } of resourceMetrics)
      for (const { metrics } of scopeMetrics) for (const metric of metrics) seen.metrics.set(metric.name, metric)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  afterwards(t, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { seen, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const toIt = (endpoint: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_SERVICE_NAME: 'tasks-of-ours',
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_METRIC_EXPORT_INTERVAL: '300',
})

/** The libraries are found when they are asked for: the program that other tests start has all of its own in one file. */
const servingAsInstalled = (t: Scope, settings: Record<string, string>) => serving(t, settings, undefined, thisVersion)

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

test('a request is a span below its traceparent, its statements below that, without any word of what was asked', async (t) => {
  const { seen, endpoint } = await collector(t)
  const { base, ownersKey, kill } = await servingAsInstalled(t, { ...(await onMigratedDatabase(t)), ...toIt(endpoint) })
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const [traceId, parentId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  await created(owner.post('/tags', { name: 'zqcanary' }, { traceparent: `00-${traceId}-${parentId}-01` }))
  await owner.get('/tasks?q=zqcanary', { traceparent: 'nonsense' })
  const request = await until(
    () => seen.spans.find((span) => span.traceId === traceId && span.parentSpanId === parentId),
    'It is not told',
  )
  assert.equal(request.name, 'tags.create')
  const { 'http.response.status_code': status, 'http.route': route, ...about } = attributesOf(request)
  assert.deepEqual([status, route, about['http.request.method']], [201, '/api/v1/tags', 'POST'])
  assert.match(String(about['taskwright.organization_id']), /^[0-9a-f-]{36}$/)
  const statement = await until(
    () => seen.spans.find((span) => span.parentSpanId === request.spanId && span.name === 'insert tags'),
    'Its statement is not told',
  )
  assert.equal(attributesOf(statement)['db.system.name'], 'postgresql')
  const list = await until(() => seen.spans.find(({ name }) => name === 'tasks.list'), 'The list is not told')
  assert.notEqual(list.traceId, traceId)
  await until(() => seen.spans.some(({ name }) => name === 'job purge'), 'No job is told')
  await until(
    () => seen.metrics.has('database_statement_duration_seconds') && seen.metrics.has('job_runs_total'),
    'No metrics are told',
  )
  await kill('SIGTERM')
  assert.deepEqual([...seen.services], ['tasks-of-ours'])
  assert.doesNotMatch(seen.text, /zqcanary/)
})

test('what is sent to a webhook passes a trace on, also from several processes', async (t) => {
  const { seen, endpoint } = await collector(t)
  const receiver = await startReceiver(t)
  const { base, ownersKey } = await servingAsInstalled(t, {
    ...{ ...(await onMigratedDatabase(t)), ...toIt(endpoint), WORKERS: '2' },
    ...{ SECRET_KEY: 'k'.repeat(32), WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' },
  })
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  await created(owner.post('/webhooks', { url: `${receiver.url}/hook`, types: ['tag.*'] }))
  await created(owner.post('/tags', { name: 'A tag' }))
  await receiver.until(({ length }) => length === 1)
  const headers = receiver.received[0]?.headers
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(headers?.traceparent)) ?? []
  const delivery = await until(() => seen.spans.find((span) => span.spanId === spanId), 'It is not told')
  assert.deepEqual([delivery.traceId, delivery.name], [traceId, 'deliver webhook'])
  await until(() => seen.spans.some(({ name }) => name === 'tags.create'), 'Workers tell nothing')
})

test('what is not sampled is not sent, and a stop sends what is left', async (t) => {
  const { seen, endpoint } = await collector(t)
  const settings = {
    ...(await onMigratedDatabase(t)),
    ...toIt(endpoint),
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  }
  const { base, ownersKey, kill } = await servingAsInstalled(t, settings)
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  await owner.get('/tags')
  await owner.get('/projects', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
  await kill('SIGTERM')
  assert.deepEqual(
    seen.spans.filter(({ name }) => name.endsWith('.list')).map(({ name }) => name),
    ['projects.list'],
  )
})

test('a collector that is not there, never answers, or answers nothing good, costs a line in the log now and then, and nothing else', async (t) => {
  const { seen, endpoint } = await collector(t, 500)
  const silent = createTcpServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  afterwards(t, async () => void silent.close())
  const slow = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  for (const url of [endpoint, slow, 'http://127.0.0.1:9']) {
    const settings = {
      ...(await onMigratedDatabase(t)),
      ...toIt(url),
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '32',
    }
    const began = Date.now()
    const { base, ownersKey, kill, err } = await servingAsInstalled(t, settings)
    const owner = apiOf(`${base}/api/v1`, ownersKey)
    for (let n = 0; n < 20; n++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => owner.get('/tags')))
      assert.ok(answers.every(({ status }) => status === 200))
    }
    const { code } = await kill('SIGTERM')
    assert.equal(code, 0)
    // the log has ten of a kind in a second
    const seconds = (Date.now() - began) / 1_000
    assert.ok(err.all.length <= 10 * (2 + seconds), `${err.all.length} lines in ${seconds} s`)
  }
  assert.ok(seen.requests > 0)
})

test('without an endpoint nothing of it is loaded, as it is imported by nobody but when there is one', async (t) => {
  const { kill } = await servingAsInstalled(t, await onMigratedDatabase(t))
  await kill('SIGTERM')
  const program = readFileSync(new URL('../../dist/taskwright.cjs', import.meta.url), 'utf8')
  assert.doesNotMatch(program, /^import .*@opentelemetry|\brequire\("@opentelemetry/m)
  assert.match(program, /await import\("@opentelemetry\/sdk-trace-base"\)|import\("@opentelemetry\/sdk-trace-base"\)/)
})
