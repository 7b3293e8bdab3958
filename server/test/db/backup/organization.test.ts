import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { restore } from '../../../src/db/backup/restore.ts'
import { digestsOf } from '../../../src/db/backup/verify.ts'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { oneOfEach } from '../../support/samples.ts'
import { rowsOf } from '../../support/scene.ts'
import { archiveOf, emptyDatabase } from '../../support/slow/archives.ts'
import { migratedDatabase, startServer } from '../../support/world.ts'

const source = await migratedDatabase()
afterwards(file, source.drop)
const server = await startServer({ url: source.url })

/** The same database as by a role that is no superuser, and owns what it makes. */
async function asPlainRole(t: Parameters<typeof emptyDatabase>[0], url: string): Promise<string> {
  const role = `plain_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create role ${role}`)
  await client.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${role}`)
  await client.end()
  afterwards(t, async () => {
    const last = new pg.Client({ connectionString: source.url })
    await last.connect()
    // its database goes after this
    await last.query(`alter database ${new URL(url).pathname.slice(1)} owner to current_user`)
    await last.end()
  })
  const plain = new URL(url)
  plain.searchParams.set('options', `-c role=${role}`)
  return String(plain)
}

test('one organization moves from a whole archive, or its own, into a server that keeps running with others', async (t) => {
  const [world, other] = [await server.newWorld(), await server.newWorld()]
  await oneOfEach(world)
  const before = await rowsOf(server.db, world)
  const [whole, own] = [await archiveOf(t, source.url), await archiveOf(t, source.url, world.orgId)]
  assert.equal(own.contents.organization?.id, world.orgId)
  assert.ok(!own.contents.tables.some(({ name }) => name === 'instance'), 'the secret of cursors stays')

  for (const [archive, orgId] of [
    [whole, world.orgId],
    [own, undefined],
  ] as const) {
    const url = await emptyDatabase(t)
    await migrate({ connectionString: url })
    const target = await startServer({ url })
    const neighbour = await target.newWorld()
    const beforeOfNeighbour = await rowsOf(target.db, neighbour)
    assert.equal((await target.api(world.owner.key).get('/me')).status, 401)
    // it is counted while there is no such organization, not by a timer when there is
    await target.authenticator.writeKeyUsage()
    const { rows } = await restore({ connectionString: url }, archive, { orgId })
    assert.ok(rows > 50)
    assert.deepEqual(await rowsOf(target.db, world), before)
    assert.deepEqual(await rowsOf(target.db, neighbour), beforeOfNeighbour)
    assert.deepEqual((await rowsOf(target.db, other)).flat(), [])
    while ((await target.api(world.owner.key).get('/me')).status !== 200);
    await assert.rejects(
      restore({ connectionString: url }, archive, { orgId }),
      /exists already \(.+\), so nothing was restored\.$/,
    )
    assert.deepEqual(await rowsOf(target.db, world), before)
  }
})

test('the archive of one organization makes a new database, with its own secret', async (t) => {
  const world = await server.newWorld()
  await oneOfEach(world)
  const archive = await archiveOf(t, source.url, world.orgId)
  const url = await emptyDatabase(t)
  await restore({ connectionString: url }, archive)
  const target = await startServer({ url })
  assert.deepEqual(await rowsOf(target.db, world), await rowsOf(server.db, world))
  const { instance, persons, passkeys, identities, ...rest } = await digestsOf({ connectionString: url })
  assert.deepEqual(rest, archive.checksums.tables)
  assert.equal(instance?.rows, 1)
  for (const table of [persons, passkeys, identities]) assert.equal(table?.rows, 0)
  assert.equal((await target.api(world.owner.key).get('/me')).status, 200)
})

/** The archive of an organization with a webhook, and a database with another one. */
async function secretsToRestore(t: Parameters<typeof emptyDatabase>[0]) {
  const world = await server.newWorld()
  await world.owner.post('/webhooks', { url: 'https://example.com/hook' })
  const archive = await archiveOf(t, source.url, world.orgId)
  const url = await emptyDatabase(t)
  await migrate({ connectionString: url })
  const target = await startServer({ url })
  await target.newWorld()
  return { world, archive, url, target }
}

test('webhook secrets that another key sealed are refused beside those of this key, and nothing is restored', async (t) => {
  const { world, archive, url, target } = await secretsToRestore(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update instance set secret_key_fingerprint = '\\x000102030405060708090a0b0c0d0e0f'`)
  await client.end()
  await assert.rejects(restore({ connectionString: url }, archive), /are encrypted with another SECRET_KEY/)
  assert.deepEqual((await rowsOf(target.db, world)).flat(), [])
})

test('webhook secrets that another key sealed are refused beside other organizations even if the servers have none yet', async (t) => {
  const { world, archive, url, target } = await secretsToRestore(t)
  const restored = (keyFingerprint: string) => restore({ connectionString: url }, archive, { keyFingerprint })
  await assert.rejects(restored('000102030405060708090a0b0c0d0e0f'), /are encrypted with another SECRET_KEY/)
  assert.deepEqual((await rowsOf(target.db, world)).flat(), [])
  await restored(archive.contents.secretKeyFingerprint ?? '')
  assert.deepEqual(await rowsOf(target.db, world), await rowsOf(server.db, world))
})

test('an organization that is missing in the archive or the database gets a message', async (t) => {
  await server.newWorld()
  const never = '01890000-0000-7000-8000-000000000001'
  await assert.rejects(archiveOf(t, source.url, never), { message: `There is no organization ${never}.` })
  const archive = await archiveOf(t, source.url)
  await assert.rejects(restore({ connectionString: await emptyDatabase(t) }, archive, { orgId: never }), {
    message: `There is no organization ${never} in the archive.`,
  })
})

test('a role without superuser rights backs up and restores, all of a database and one organization beside others', async (t) => {
  const world = await server.newWorld()
  await oneOfEach(world)
  const archive = await archiveOf(t, source.url)
  const url = await emptyDatabase(t)
  const plain = { connectionString: await asPlainRole(t, url) }
  await restore(plain, archive)
  assert.deepEqual(await digestsOf(plain), archive.checksums.tables)
  assert.deepEqual((await archiveOf(t, plain.connectionString)).checksums.tables, archive.checksums.tables)

  const beside = await emptyDatabase(t)
  const plainBeside = { connectionString: await asPlainRole(t, beside) }
  await migrate(plainBeside)
  const target = await startServer({ url: plainBeside.connectionString })
  await target.newWorld()
  await restore(plainBeside, archive, { orgId: world.orgId })
  assert.deepEqual(await rowsOf(target.db, world), await rowsOf(server.db, world))
})
