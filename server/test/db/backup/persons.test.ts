import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restore } from '../../../src/db/backup/restore.ts'
import { verify } from '../../../src/db/backup/verify.ts'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { sql } from '../../../src/db/sql.ts'
import { queueMail } from '../../../src/mail/queue.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { openBrowser } from '../../support/browser.ts'
import { assertRefused } from '../../support/envelope.ts'
import { archiveOf, emptyDatabase } from '../../support/slow/archives.ts'
import { created, migratedDatabase, startServer } from '../../support/world.ts'

const source = await migratedDatabase()
afterwards(file, source.drop)
const { db, base, newWorld } = await startServer({ url: source.url })

async function joinedWorld() {
  const world = await newWorld()
  const fields = { name: 'Nina New', email: `${crypto.randomUUID()}@example.com`, invite: true }
  const member = await created(world.owner.post('/members', fields))
  const browser = openBrowser(base)
  const token = member.invitation.link.split('#invitation=')[1]
  assert.equal((await browser.post('/auth/invitation/accept', { token })).status, 204)
  return { world, member, browser }
}

test('a restore brings people and how they sign in back, but no session, no link and no mail', async (t) => {
  const { world, member, browser } = await joinedWorld()
  const mail = { cause: crypto.randomUUID(), kind: 'test', recipient: 'ann@example.org', data: {} }
  await queueMail(db, mail, new Date().toISOString())
  const url = await emptyDatabase(t)
  await restore({ connectionString: url }, await archiveOf(t, source.url))
  const target = await startServer({ url })
  const [kept] = await target.db.rows<{ name: string }>(sql`
    select persons.name from persons join members on members.person_id = persons.id
    where members.org_id = ${world.orgId} and members.id = ${member.id}`)
  assert.equal(kept?.name, 'Nina New')
  for (const table of ['sessions', 'sign_in_tokens', 'sign_in_failures', 'device_logins', 'outgoing_mail'])
    assert.deepEqual(await target.db.rows(sql`select * from ${sql.named(table)}`), [], table)
  const there = openBrowser(target.base)
  for (const [name, value] of browser.cookies) there.cookies.set(name, value)
  assertRefused(await there.get('/me'), 401)
  assert.equal((await browser.get('/me')).status, 200)
})

test('the archive of one organization has no persons, and a member whose person is not there can be invited again', async (t) => {
  const { world, member } = await joinedWorld()
  const archive = await archiveOf(t, source.url, world.orgId)
  assert.ok(!archive.contents.tables.some(({ name }) => ['persons', 'passkeys', 'identities'].includes(name)))
  await verify(archive)
  const [empty, beside] = [await emptyDatabase(t), await emptyDatabase(t)]
  await migrate({ connectionString: beside })
  for (const url of [empty, beside]) {
    if (url === beside) await (await startServer({ url })).newWorld()
    await restore({ connectionString: url }, archive)
    const owner = (await startServer({ url })).api(world.owner.key)
    assert.equal((await owner.post(`/members/${member.id}/invite`)).status, 201)
  }
})

test('a member keeps their person if an organization returns to its own instance', async (t) => {
  const { world, member, browser } = await joinedWorld()
  const archive = await archiveOf(t, source.url, world.orgId)
  const url = await emptyDatabase(t)
  await restore({ connectionString: url }, await archiveOf(t, source.url))
  const target = await startServer({ url })
  // as if the organization had been purged while the person went on elsewhere
  const tables = archive.contents.tables.map(({ name }) => name).toReversed()
  for (const name of tables) await target.db.rows(sql`delete from ${sql.named(name)} where org_id = ${world.orgId}`)
  await restore({ connectionString: url }, archive)
  const [kept] = await target.db.rows<{ personId: string | null }>(sql`
    select person_id as "personId" from members where org_id = ${world.orgId} and id = ${member.id}`)
  assert.notEqual(kept?.personId, null)
  assert.equal((await browser.get('/me')).status, 200)
})
