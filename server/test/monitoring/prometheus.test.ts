import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../documentation/pages.ts'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { until } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

const [prometheus, promtool] = ['/usr/bin/prometheus', '/usr/bin/promtool']
const whereInstalled = existsSync(promtool)
  ? {}
  : { skip: 'Prometheus is not installed (Debian: apt-get install prometheus)' }

const rules = readFileSync(`${root}ops/prometheus/alerts.yaml`, 'utf8')
const board = readFileSync(`${root}ops/grafana/taskwright.json`, 'utf8')
const page = readFileSync(`${root}docs/monitoring.md`, 'utf8')

/** Every expression of the rules and of the board. */
const expressions = [
  ...[...rules.matchAll(/^ +expr: (?:\|\n((?: {10,}.*\n)+)|(.+)\n)/gm)].map(([, long, short]) => long ?? short ?? ''),
  ...JSON.parse(board).panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  ),
]

test('each expression of the alerts and the dashboard uses metrics that the monitoring page lists', () => {
  assert.ok(expressions.length > 30)
  const ofOthers = [
    'up',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]
  const known = [...page.matchAll(/^\| `([a-z_]+)`(?: by [^|]+)? \|/gm)].map(([, name = '']) => name)
  for (const expression of expressions) {
    const plain = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|ignoring|without) \([^)]*\)/g, ' ')
    const names = [...plain.matchAll(/\b[a-z][a-z0-9_]*\b(?! *\()/g)].map(([name]) => name)
    const metrics = names.filter((name) => !['and', 'or', 'unless'].includes(name))
    assert.ok(metrics.length > 0, expression)
    for (const name of metrics) {
      const base = name.replace(/_(bucket|sum|count)$/, '')
      assert.ok(
        [...known, ...ofOthers].some((one) => one === name || one === base),
        `${name} in ${expression}`,
      )
    }
  }
})

test('each alert says what to do, and the monitoring page lists it', () => {
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  assert.equal(rules.match(/^ +todo: ".{20,}"$/gm)?.length, names.length)
  for (const name of names) assert.ok(page.includes(`\`${name}\``), name)
})

test('the alerts are well formed, fire when they should, and none fires when all is well', whereInstalled, async () => {
  const run = (...words: string[]) => promisify(execFile)(promtool, words, { cwd: `${root}ops/prometheus` })
  await run('check', 'rules', 'alerts.yaml')
  await run('test', 'rules', 'alerts.test.yaml')
})

test(
  'Prometheus scrapes the server, loads the rules, and finds what the dashboard asks for',
  whereInstalled,
  async (t) => {
    const { base, port, ownersKey } = await serving(t, await onMigratedDatabase(t))
    const owner = apiOf(`${base}/api/v1`, ownersKey)
    await created(owner.post('/tags', { name: 'A tag' }))
    const lint = spawn(promtool, ['check', 'metrics'])
    lint.stdin.end(await (await fetch(`${base}/metrics`)).text())
    const complaints: string[] = []
    for await (const chunk of lint.stderr) complaints.push(String(chunk))
    // names that others have given, and what the library names
    assert.deepEqual(
      complaints
        .join('')
        .split('\n')
        .filter((line) => line !== '' && !/^(nodejs|process)_|non-histogram.*_count|counter metrics should/.test(line)),
      [],
    )
    const ask = await prometheusOf(t, port)
    await until(async () => (await ask('query?query=up')).data.result[0]?.value[1] === '1', 'It is not scraped')
    await owner.get('/tags')
    const { data } = await ask('rules')
    assert.deepEqual(
      data.groups
        .flatMap((group: { rules: { health: string; lastError?: string }[] }) => group.rules)
        .filter((rule: { lastError?: string }) => rule.lastError),
      [],
    )
    for (const expression of expressions) {
      const query = expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
      assert.equal((await ask(`query?query=${encodeURIComponent(query)}`)).status, 'success', query)
    }
    const { result } = (
      await ask(
        `query?query=${encodeURIComponent('database_statement_duration_seconds_count{operation="tags.create"}')}`,
      )
    ).data
    assert.equal(result.length, 1)
  },
)

/** A Prometheus of its own that scrapes the server. @returns how to ask it */
async function prometheusOf(t: Scope, target: number) {
  const directory = await mkdtemp(join(tmpdir(), 'taskwright-prometheus-'))
  const port = await freePort()
  await writeFile(
    join(directory, 'prometheus.yaml'),
    readFileSync(`${root}ops/prometheus/prometheus.yaml`, 'utf8')
      .replace('scrape_interval: 15s', 'scrape_interval: 1s')
      .replace('alerts.yaml', `${root}ops/prometheus/alerts.yaml`)
      .replace('127.0.0.1:3000', `127.0.0.1:${target}`)
      .replace(/ +authorization:\n.*\n/, ''),
  )
  const words = [`--config.file=${directory}/prometheus.yaml`, `--storage.tsdb.path=${directory}/data`]
  const child = spawn(prometheus, [...words, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  afterwards(t, async () => {
    child.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  const at = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(`${at}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'Prometheus does not start',
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by asserting it
  return async (path: string): Promise<any> => (await fetch(`${at}/api/v1/${path}`)).json()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
