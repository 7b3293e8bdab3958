import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { ConfigProblem, readConfig } from '../../src/config.ts'
import { altered } from '../support/altered.ts'
import { openRaw, request } from '../support/raw.ts'
import {
  keyIn,
  onEmptyDirectory,
  onFreshDatabase,
  onMadeCluster,
  onMigratedDatabase,
  outcome,
  postmasterIn,
  serving,
  taskwright,
  thisVersion,
} from '../support/slow/processes.ts'
import { until } from '../support/until.ts'
import { apiOf } from '../support/world.ts'

test('the first start on an empty directory creates an organization and prints its owner’s key; no later start does', async (t) => {
  const settings = await onEmptyDirectory(t)
  const first = await serving(t, settings, undefined, thisVersion)
  // the link comes once the server listens
  await until(() => first.out.all.length > 2, 'No sign-in link is printed')
  const [founded, listening, link, ...others] = first.out.all
  assert.equal(founded, `Created an organization. The API key of its owner, shown only now: ${first.ownersKey}`)
  assert.match(listening ?? '', /^Taskwright listening on http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  assert.match(
    link ?? '',
    /^Sign in, within 15 minutes and once: http:\/\/localhost:[1-9]\d+\/console\/#welcome=[\w-]{43}$/,
  )
  assert.deepEqual(others, [])
  const me = () => apiOf(`${first.base}/api/v1`, first.ownersKey).get('/me')
  assert.equal((await me()).body.member.role, 'owner')
  await first.kill('SIGTERM')
  const second = await serving(t, settings, undefined, thisVersion)
  assert.deepEqual(second.out.all, [`Taskwright listening on ${second.base}`])
  assert.equal((await apiOf(`${second.base}/api/v1`, first.ownersKey).get('/me')).status, 200)
})

test('a second server on the directory of a live one is refused with a message, and disturbs nothing', async (t) => {
  const settings = await onMadeCluster(t)
  const first = await serving(t, settings)
  const second = await outcome(t, ['serve'], { ...settings, PORT: '0' })
  assert.equal(second.code, 1)
  assert.deepEqual(second.out, [])
  assert.deepEqual(second.err, [
    `Another Taskwright server is running on ${settings.DATA_DIR}/postgres: stop it first, or give this one another DATA_DIR.`,
  ])
  assert.equal((await apiOf(`${first.base}/api/v1`, first.ownersKey).get('/me')).status, 200)
})

test('two first starts at once on one database create one organization, and both serve', async (t) => {
  const settings = await onFreshDatabase(t)
  const servers = await Promise.all([serving(t, settings), serving(t, settings)])
  const keys = servers.map(({ ownersKey }) => ownersKey).filter((key) => key !== '')
  assert.equal(keys.length, 1)
  for (const { base } of servers) assert.equal((await apiOf(`${base}/api/v1`, keys[0] ?? '').get('/me')).status, 200)
})

test('a stop during the first start leaves no PostgreSQL running', async (t) => {
  const settings = await onEmptyDirectory(t)
  const server = taskwright(t, ['serve'], { ...settings, PORT: '0' })
  await until(() => postmasterIn(settings.DATA_DIR), 'No PostgreSQL is started')
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('a port in use is refused with a message, and PostgreSQL is stopped again', async (t) => {
  const [one, other] = [await onMigratedDatabase(t), await onMadeCluster(t)]
  const { port } = await serving(t, one)
  const { code, err } = await outcome(t, ['serve'], { ...other, PORT: String(port) })
  assert.equal(code, 1)
  assert.equal(err.at(-1), `Port ${port} is in use. Stop the program that listens there, or choose another PORT.`)
  assert.equal(await postmasterIn(other.DATA_DIR), undefined)
})

test('a database that does not respond gets a message', async (t) => {
  const { code, err } = await outcome(t, ['serve'], {
    PORT: '0',
    DATABASE_URL: 'postgres://taskwright@127.0.0.1:1/none',
  })
  assert.equal(code, 1)
  assert.deepEqual(err, ['The database does not answer: connect ECONNREFUSED 127.0.0.1:1'])
})

const wrongSettings: Record<string, [value: string, sentence: string]> = {
  PORT: ['abc', 'must be a port from 0 to 65535; 0 picks a free one.'],
  LOG_LEVEL: ['loud', 'must be fatal, error, warn, info, debug, trace or silent.'],
  LOG_TIME: ['utc', 'must be epoch or iso.'],
  LOG_FORMAT: ['xml', 'must be json or pretty.'],
  TRUST_PROXY: ['yes', 'must be a number of proxies from 1 to 9, or their subnets such as 10.0.0.0/8,fd00::/8.'],
  TRUST_PROXY_HEADER: ['x-real-ip', 'must be x-forwarded-for or forwarded.'],
  CORS_ORIGINS: ['example.com', 'must be origins such as https://app.example.com, separated by commas.'],
  IDEMPOTENCY_TTL: ['3 days', 'must be a duration such as 90s, 30m, 72h or 7d.'],
  EVENT_RETENTION: ['31d', 'must be 30d at most.'],
  WORKERS: ['0', 'must be a number of processes from 1 to 64.'],
  DRAIN_DELAY: ['soon', 'must be a duration such as 0s, 15s or 2m.'],
  COMPRESSION: ['gzip', 'must be on or off.'],
  READY_WHEN: ['always', 'must be reads or writes.'],
  WEBHOOK_ALLOWED_SUBNETS: [
    '10.0.0.0/8,192.168.0.1/16',
    'must be subnets such as 127.0.0.0/8,10.0.0.0/8,fd00::/8, with zeros behind the prefix.',
  ],
  OPERATOR_TOKEN: ['short', 'must have at least 16 visible ASCII characters.'],
  SECRET_KEY: ['short-'.repeat(5), 'must have at least 32 visible ASCII characters.'],
  DATABASE_URL: ['mysql://localhost/x', 'must be a URL such as postgres://user:password@host:5432/database.'],
}

test('every obstacle to a start gets a message, without a stack', async (t) => {
  const [mine, others, newer] = [await onMigratedDatabase(t), await onFreshDatabase(t), await onMigratedDatabase(t)]
  await asked(
    others.DATABASE_URL,
    'create table migrations (id int, name text)',
    "insert into migrations values (1, 'CreateUsers')",
  )
  await asked(newer.DATABASE_URL, "insert into migrations (name, applied_at) values ('9999_future.sql', now())")
  const ways: [settings: Record<string, string>, sentence: RegExp][] = [
    [others, /^The database belongs to another application\. Give Taskwright its own database\.$/],
    [
      newer,
      /^The database was migrated by a newer Taskwright \(9999_future\.sql\)\. Start that version, or restore a backup from before the upgrade: a version cannot undo the migrations of a newer one\.$/,
    ],
    [{ ...mine, HOST: '203.0.113.1' }, /^HOST must be an address of this machine, which 203\.0\.113\.1 is not/],
    [{ ...mine, HOST: '203.0.113.1', WORKERS: '2' }, /^HOST must be an address of this machine/],
    [{ ...mine, HOST: 'no-such-host.invalid' }, /^HOST must be an address of this machine/],
    [
      { DATABASE_URL: `${mine.DATABASE_URL}${mine.DATABASE_URL.includes('?') ? '&' : '?'}options=-c%20no_such%3D1` },
      /^The database cannot be used: /,
    ],
  ]
  for (const [settings, sentence] of ways) {
    const { code, err } = await outcome(t, ['serve'], { PORT: '0', ...settings })
    assert.notEqual(code, 0)
    assert.match(err.at(-1) ?? '', sentence)
  }
})

test('COMPRESSION=off leaves bodies uncompressed, for a proxy in front', async (t) => {
  const settings = await onMigratedDatabase(t)
  const encodings = ['on', 'off'].map(async (COMPRESSION) => {
    const { base } = await serving(t, { ...settings, COMPRESSION })
    const { headers } = await fetch(`${base}/docs`, { headers: { 'accept-encoding': 'gzip' } })
    return headers.get('content-encoding')
  })
  assert.deepEqual(await Promise.all(encodings), ['gzip', null])
})

test('session settings in DATABASE_URL do not change how times are read', async (t) => {
  const { DATABASE_URL } = await onMigratedDatabase(t)
  const url = new URL(DATABASE_URL)
  url.searchParams.set('options', '-c timezone=Asia/Kolkata -c datestyle=SQL -c search_path=public')
  const { base, ownersKey } = await serving(t, { DATABASE_URL: String(url) })
  const { createdAt } = (await apiOf(`${base}/api/v1`, ownersKey).get('/me')).body.member
  assert.match(createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 600_000, createdAt)
})

const full = existsSync('/dev/full') ? {} : { skip: 'this system has no disk that is always full' }

test('a log that cannot be written costs its lines, not the server', full, async (t) => {
  const settings = { ...(await onMigratedDatabase(t)), LOG_LEVEL: 'info' }
  const { base, kill } = await serving(t, settings, 'exec 2> /dev/full')
  for (let asked = 0; asked < 200; asked++) assert.equal((await fetch(`${base}/healthz`)).status, 200)
  assert.deepEqual(await kill('SIGTERM'), { code: 0, signal: null })
})

test('invalid settings end the start with exit code 2 and a message for each', async (t) => {
  const settings = Object.fromEntries(Object.entries(wrongSettings).map(([name, [value]]) => [name, value]))
  const { code, out, err } = await outcome(t, ['serve'], settings)
  assert.deepEqual([code, out], [2, []])
  assert.deepEqual(
    err.sort(),
    Object.entries(wrongSettings)
      .map(([name, [, sentence]]) => `${name} ${sentence}`)
      .sort(),
  )
})

test('an empty DATABASE_URL starts no other database, but ends the start with a message', async (t) => {
  const settings = await onEmptyDirectory(t)
  const { code, out, err } = await outcome(t, ['serve'], { ...settings, DATABASE_URL: '', PORT: '0' })
  const sentence = 'DATABASE_URL must not be empty: leave it out to use the embedded database.'
  assert.deepEqual([code, out, err], [2, [], [sentence]])
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('an unencoded password is refused, and no part of it is ever shown', async (t) => {
  const passwords = ['p@sse/secret', 'p/sse@secret', '5432/secret', '5432#secret', '5432?secret', 'secret%zz', '%ff']
  for (const password of passwords) {
    const url = `postgres://ann:${password}@db.example:5432/work`
    const refused = { constructor: ConfigProblem, message: encoded }
    assert.throws(() => readConfig({ DATABASE_URL: url }), refused, password)
  }
  const { code, out, err } = await outcome(t, ['serve'], { DATABASE_URL: 'postgres://ann:p@sse/cret@localhost/work' })
  assert.deepEqual([code, out, err], [2, [], [encoded]])
  const good = 'postgres://ann:p%40ss%2Fcret@localhost:5432/work'
  assert.equal(readConfig({ DATABASE_URL: good }).databaseUrl, good)
  const socket = 'postgres://ann@/work?host=/tmp'
  assert.equal(readConfig({ DATABASE_URL: socket }).databaseUrl, socket)
})

const encoded = 'DATABASE_URL must have each @ / ? # % of its user and password written as %40 %2F %3F %23 %25.'

for (const [HOST, shown] of [
  ['0.0.0.0', '127.0.0.1'],
  ['::', 'localhost'],
] as const) {
  test(`HOST=${HOST} prints an address that can be opened, and that others can reach too`, async (t) => {
    for (const WORKERS of ['1', '2']) {
      const server = await serving(t, { ...(await onMigratedDatabase(t)), HOST, WORKERS })
      assert.equal(server.base, `http://${shown}:${server.port}`)
      assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
      const sentence = `It listens on all addresses of this machine (${HOST}), so other machines can reach it.`
      await server.err.first((line) => line === sentence)
    }
  })
}

test('without OPERATOR_TOKEN /metrics responds to an address and to localhost, not to a name that somebody made up', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), HOST: 'localhost' })
  const asked = async (host: string) =>
    (await openRaw(server.port, request('GET /metrics').replace('localhost', host)).ended).answers
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000', '203.0.113.7']) {
    assert.deepEqual(await asked(host), [200], host)
  }
  for (const host of ['evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '']) {
    assert.deepEqual(await asked(host), [403], host)
  }
})

test('every invalid setting is refused, and so is an empty one unless it does no harm', () => {
  const never = ['DATABASE_URL', 'OPERATOR_TOKEN', 'DATA_DIR']
  const wrong = {
    PORT: ['65536', '-1', '80.5', '0x50'],
    IDEMPOTENCY_TTL: ['0s', '-1h', '72', '1w', '31d'],
    EVENT_RETENTION: ['0d', '1y', '721h'],
    DATABASE_URL: ['postgres', 'http://localhost/x', 'postgres://localhost:port/x'],
    CORS_ORIGINS: ['app.example.com', 'https://app.example.com/path', 'https://one.example,'],
    OPERATOR_TOKEN: ['fifteen-letters', 'sixteen letters!', 'sixteen-umläuts!'],
    LOG_LEVEL: ['INFO', 'warning'],
    WORKERS: ['65', '-1', '1.5', '02', 'auto'],
    DRAIN_DELAY: ['00s', '-1s', '10', '1.5s'],
    DATA_DIR: [''],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const refused = { constructor: ConfigProblem, message: new RegExp(`^${name} must [^\n]*\\.$`) }
      assert.throws(() => readConfig({ [name]: value }), refused, value)
    }
    if (never.includes(name)) assert.throws(() => readConfig({ [name]: '' }), new RegExp(`^Error: ${name} must `))
    else assert.deepEqual(readConfig({ [name]: '' }), readConfig({}))
  }
})

test('every response has one line of JSON on standard error, with its request id, and no line has a key', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, { ...settings, LOG_LEVEL: 'trace' })
  const key = server.ownersKey
  const ask = (path: string, headers: Record<string, string>) => fetch(server.base + path, { headers })
  const given = await ask('/api/v1/me', { authorization: `Bearer ${key}`, 'x-request-id': 'given-by.the_client' })
  assert.equal(given.headers.get('x-request-id'), 'given-by.the_client')
  const made = await ask(`/api/v1/me?key=${key}`, { 'x-api-key': key, 'x-request-id': 'not one: "quoted"' })
  assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  const unknown = await ask(`/${key}`, { authorization: `Bearer ${altered(key)}` })
  assert.deepEqual(
    [given, made, unknown].map(({ status }) => status),
    [200, 422, 404],
  )
  await apiOf(`${server.base}/api/v1`, key).post('/api-keys', { name: 'Another key' })
  await server.kill('SIGTERM')
  const lines = server.err.all.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const answered = lines.filter(({ msg }) => msg === 'answered')
  assert.deepEqual(
    answered.map(({ requestId, status, method }) => [method, status, typeof requestId]),
    [
      ['GET', 200, 'string'],
      ['GET', 422, 'string'],
      ['GET', 404, 'string'],
      ['POST', 201, 'string'],
    ],
  )
  assert.deepEqual(
    answered.slice(0, 2).map(({ requestId }) => requestId),
    [given, made].map(({ headers }) => headers.get('x-request-id')),
  )
  assert.equal(keyIn(server.err.all), '')
})

async function asked(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
