import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterwards } from '../support/afterwards.ts'
import { copyCluster, stopPostgres } from '../support/slow/made-cluster.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { apiOf } from '../support/world.ts'

/** As PostgreSQL says each of them. */
const failures: [code: string, message: string][] = [
  ['42501', 'could not extend file "base/5/2619": Read-only file system'],
  ['42501', 'could not open file "base/5/2619": Permission denied'],
  ['58030', 'could not write block 7 in file "base/5/2619": Input/output error'],
  ['58P01', 'could not open file "base/5/2619": No such file or directory'],
  ['53100', 'could not extend file "base/5/2619": No space left on device'],
]

const readiness = async (base: string) => {
  const response = await fetch(`${base}/readyz`)
  return [response.status, ((await response.json()) as { writes?: boolean }).writes]
}

test('a failing disk gives 503 with Retry-After, and /readyz says that writes fail until one succeeds', async (t) => {
  const { DATABASE_URL } = await onMigratedDatabase(t)
  const server = await serving(t, { DATABASE_URL })
  const strict = await serving(t, { DATABASE_URL, READY_WHEN: 'writes' })
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  afterwards(t, () => client.end())
  const failing = async (code: string, message: string) => {
    await client.query(`create or replace function fails() returns trigger language plpgsql as $$ begin
      raise exception using errcode = '${code}', message = '${message}'; end $$`)
    for (const table of ['tags', 'instance'])
      await client.query(
        `create or replace trigger fails before insert or update on ${table} for each row execute function fails()`,
      )
  }
  for (const [code, message] of failures) {
    await failing(code, message)
    for (const { base } of [server, strict]) {
      const answer = await apiOf(`${base}/api/v1`, server.ownersKey).post('/tags', { name: code })
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], message)
    }
    assert.deepEqual(await readiness(server.base), [200, false], message)
    assert.deepEqual(await readiness(strict.base), [503, undefined], message)
  }
  const line = await server.err.first((line) => line.includes('No space left on device'))
  assert.match(line, /"msg":"a disk failed"/)

  // a missing right has the same code as a read-only disk, and is our own mistake
  await failing('42501', 'permission denied for table tags')
  assert.equal((await apiOf(`${server.base}/api/v1`, server.ownersKey).post('/tags', { name: 'No right' })).status, 500)

  await client.query('drop function fails() cascade')
  const ready = async () => [await readiness(server.base), await readiness(strict.base)]
  while ((await ready()).some(([, writes]) => writes !== true));
  assert.equal((await apiOf(`${strict.base}/api/v1`, server.ownersKey).post('/tags', { name: 'Again' })).status, 201)
})

test('a database that stops after its disk failed makes /readyz 503, as it answers no read either', async (t) => {
  const { DATABASE_URL } = await onMigratedDatabase(t)
  const server = await serving(t, { DATABASE_URL })
  const name = new URL(DATABASE_URL).pathname.slice(1)
  const client = new pg.Client({ connectionString: DATABASE_URL })
  const outside = new pg.Client({ connectionString: DATABASE_URL.replace(`/${name}`, '/postgres') })
  client.on('error', () => {})
  await Promise.all([client.connect(), outside.connect()])
  afterwards(t, () => outside.end())
  await client.query(`create function fails() returns trigger language plpgsql as $$ begin
    raise exception using errcode = '53100', message = 'No space left on device'; end $$`)
  await client.query('create trigger fails before insert on tags for each row execute function fails()')
  await client.query('create trigger fails before update on instance for each row execute function fails()')
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  assert.equal((await owner.post('/tags', { name: 'Full' })).status, 503)
  assert.deepEqual(await readiness(server.base), [200, false])
  await outside.query(`alter database "${name}" allow_connections false`)
  afterwards(t, () => outside.query(`alter database "${name}" allow_connections true`))
  await outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  assert.equal((await owner.get('/tags')).status, 503)
  assert.deepEqual(await readiness(server.base), [503, undefined])
})

test('on a disk that turns read-only no write gets 500, and /readyz says that writes fail', async (t) => {
  const disk = await ownDisk(t)
  if (!disk) return
  await copyCluster(disk.path)
  const server = await serving(t, { DATA_DIR: disk.path })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  assert.equal((await owner.post('/tags', { name: 'Before' })).status, 201)
  await disk.fail()
  const statuses = new Set<number>()
  let ready = [200, true] as unknown[]
  for (let n = 0; n < 40; n++) {
    const { status, headers } = await owner.post('/tags', { name: `After ${n}` })
    statuses.add(status)
    if (status === 503) assert.notEqual(headers.get('retry-after'), null)
    // rows find room in pages that are there until the log goes on
    if (status === 503) ready = await readiness(server.base)
  }
  assert.deepEqual(
    [...statuses].filter((status) => status !== 201),
    [503],
  )
  assert.ok(ready[0] === 503 || ready[1] === false, String(ready))
})

/** A data directory on a file system of its own, which can fail; undefined, with a skip, where none can be mounted. */
async function ownDisk(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-disk-'))
  const [image, path] = [join(folder, 'image'), join(folder, 'data')]
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  const mounting = `truncate -s 400M ${image} && mkfs.ext4 -q ${image} && mkdir ${path} &&
    mount -o loop,errors=remount-ro ${image} ${path} && rmdir ${path}/lost+found && chmod 755 ${folder} ${path}`
  const mounted = await run('/bin/sh', ['-c', mounting]).then(
    () => true,
    () => false,
  )
  if (!mounted) return void t.skip('no file system can be mounted here')
  afterwards(t, async () => {
    await stopPostgres(join(path, 'postgres')).catch(() => {})
    await run('umount', ['--lazy', path])
  })
  const { stdout } = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', image])
  // the write itself is answered with the error
  const fail = () => writeFile(`/sys/fs/ext4/${basename(stdout.trim())}/trigger_fs_error`, '1').catch(() => {})
  return { path, fail }
}

const run = promisify(execFile)
