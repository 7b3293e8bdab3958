import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { afterwards } from '../support/afterwards.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { goBetween } from '../support/go-between.ts'
import { emptyDirectory } from '../support/slow/archives.ts'
import { keyIn, linesOf, onFreshDatabase, outcome, serving } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'
import { apiOf, type Reply } from '../support/world.ts'

const refusal =
  'DATABASE_URL leads to a pooler, such as PgBouncer, that gives each transaction another backend. Taskwright needs one for each of its connections: set pool_mode = session there, or connect past the pooler.'

for (const mode of ['transaction', 'statement']) {
  test(`PgBouncer with pool_mode = ${mode} is refused at start, with a message that says what to set`, async (t) => {
    const url = (await pooled(t, mode))?.url
    if (url === undefined) return
    const { code, err } = await outcome(t, ['migrate'], { DATABASE_URL: url })
    assert.deepEqual(err, [refusal])
    assert.equal(code, 1)
    const doctor = await outcome(t, ['doctor'], { DATABASE_URL: url, PORT: '0' })
    assert.match(doctor.out.join('\n'), /^wrong {3}pooler +DATABASE_URL leads to a pooler/m)
  })
}

const withSnapshots = onPlainPostgres('a cluster has no common snapshot')

test('nothing is backed up or restored through such a pooler, and it keeps no lock', withSnapshots, async (t) => {
  const database = await pooled(t, 'transaction')
  if (database === undefined) return
  const [past, through] = [database.direct, database.url].map((DATABASE_URL) => ({ DATABASE_URL }))
  const archive = join(await emptyDirectory(t), 'kept.tar')
  for (const words of [['migrate'], ['backup', archive]]) assert.equal((await outcome(t, words, past ?? {})).code, 0)
  for (const words of [
    ['backup', '-'],
    ['restore', archive],
  ]) {
    const { code, err } = await outcome(t, words, through ?? {})
    assert.deepEqual([code, err.at(-1)], [1, refusal], words[0])
  }
  assert.equal((await outcome(t, ['restore', archive], past ?? {})).code, 0)
})

test('behind PgBouncer with pool_mode = session a server starts, serves many requests at once, and hears of a revoked key', async (t) => {
  const url = (await pooled(t, 'session'))?.url
  if (url === undefined) return
  const settings = { DATABASE_URL: url }
  const server = await serving(t, settings)
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const asked = Array.from({ length: 100 }, async (_, n) => {
    const name = `Tag ${n % 50}`
    const made = await untilAnswered(() => owner.post('/tags', { name }, { 'idempotency-key': `${n % 50}` }))
    const seen = await untilAnswered(() => owner.get(`/tags/${made.body.id}`))
    return [made.status, seen.status, seen.body.createdAt === made.body.createdAt]
  })
  assert.deepEqual(new Set((await Promise.all(asked)).map(String)), new Set(['201,200,true']))
  assert.equal((await owner.get('/tags?limit=1')).body.total, 50)
  const key = keyIn((await outcome(t, ['key', 'create'], settings)).out)
  assert.equal((await apiOf(`${server.base}/api/v1`, key).get('/me')).status, 200)
  assert.equal((await outcome(t, ['key', 'revoke', key], settings)).code, 0)
  let status = 200
  while (status === 200 || status === 503) status = (await apiOf(`${server.base}/api/v1`, key).get('/me')).status
  assert.equal(status, 401)
  assert.equal((await server.kill('SIGTERM')).code, 0)
})

/** The answer of a server that may be too busy for a while. */
async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask()
    if (reply.status !== 503) return reply
  }
}

/** An empty database and its address behind a PgBouncer of its own; undefined, and the test is skipped, where there is none. */
async function pooled(t: TestContext, mode: string): Promise<{ url: string; direct: string } | undefined> {
  const program = '/usr/sbin/pgbouncer'
  if (
    !(await access(program).then(
      () => true,
      () => false,
    ))
  ) {
    t.skip(`${program} is missing: apt-get install pgbouncer`)
    return undefined
  }
  const { DATABASE_URL } = await onFreshDatabase(t)
  // it runs by another account, which the embedded PostgreSQL would not let in
  const between = await goBetween(t, DATABASE_URL)
  const { user, password } = new pg.Client({ connectionString: between.url })
  const directory = await mkdtemp(join(tmpdir(), 'taskwright-pgbouncer-'))
  afterwards(t, () => rm(directory, { recursive: true }))
  await chmod(directory, 0o755)
  const port = await freePort()
  const url = new URL(between.url)
  await writeFile(join(directory, 'users'), `"${user}" "${password ?? ''}"\n`)
  await writeFile(
    join(directory, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(directory, 'users')}
server_tls_sslmode = disable
default_pool_size = 60
pool_mode = ${mode}
`,
  )
  const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn(program, [join(directory, 'pgbouncer.ini')], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  afterwards(t, async () => {
    child.kill('SIGKILL')
    await ended
  })
  await inTime(
    linesOf(child.stderr).first((line) => line.includes('process up')),
    'PgBouncer does not start',
  )
  url.port = String(port)
  return { url: url.href, direct: DATABASE_URL }
}

const nobody = 65_534

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
