import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { removeDeleted } from '../../src/jobs/removing.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { ranOnce } from '../support/running.ts'
import { outcome } from '../support/slow/processes.ts'
import { created, migratedDatabase, startServer, type World } from '../support/world.ts'

// of its own, as the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, base, newWorld } = await startServer({ url })
after(drop)

/** Somebody who joined these organizations as a new member of each, with a passkey, an identity and a session. */
async function joined(...worlds: World[]) {
  const browser = openBrowser(base)
  const memberIds: string[] = []
  for (const world of worlds) {
    const fields = { name: 'Nina New', email: `${crypto.randomUUID()}@example.com`, invite: true }
    const member = await created(world.owner.post('/members', fields))
    const token = member.invitation.link.split('#invitation=')[1]
    assert.equal((await browser.post('/auth/invitation/accept', { token })).status, 204)
    memberIds.push(member.id)
  }
  const [row] = await db.rows<{ personId: string }>(sql`
    select person_id as "personId" from members where id = ${memberIds[0]}`)
  const personId = row?.personId ?? assert.fail()
  await db.rows(sql`
    insert into passkeys (id, person_id, credential_id, public_key, counter, name, created_at)
    values (${crypto.randomUUID()}, ${personId}, ${Buffer.from(personId)}, ${Buffer.from('key')}, 0, 'Laptop', now())`)
  await db.rows(sql`
    insert into identities (id, person_id, issuer, subject, created_at)
    values (${crypto.randomUUID()}, ${personId}, 'https://id.example.com', ${personId}, now())`)
  return { browser, memberIds, personId }
}

async function rowsOf(personId: string) {
  const row = await db.row<Record<string, number>>(sql`
    select (select count(*)::int from persons where id = ${personId}) as persons,
      (select count(*)::int from passkeys where person_id = ${personId}) as passkeys,
      (select count(*)::int from identities where person_id = ${personId}) as identities,
      (select count(*)::int from sessions where person_id = ${personId}) as sessions,
      (select count(*)::int from members where person_id = ${personId}) as members`)
  return Object.values(row ?? {})
}

const inOrganization = ({ orgId }: World) => ({ 'x-organization': orgId })
const isOut = async (browser: Browser, world: World) =>
  assertRefused(await browser.get('/me', inOrganization(world)), 403, 'not_a_member')

test('erasing a member erases the person with their last membership', async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const { browser, memberIds, personId } = await joined(one, other)
  const erased = await one.owner.post(`/members/${memberIds[0]}/erase`)
  assert.equal(erased.status, 200, erased.text)
  assert.equal(erased.body.emailVerified, false)
  assert.deepEqual(await rowsOf(personId), [1, 1, 1, 1, 1])
  await isOut(browser, one)
  assert.equal((await browser.get('/me', inOrganization(other))).status, 200)
  assert.equal((await other.owner.post(`/members/${memberIds[1]}/erase`)).status, 200)
  assert.deepEqual(await rowsOf(personId), [0, 0, 0, 0, 0])
  assertRefused(await browser.get('/auth/session'), 401)
})

test('the command line erases the person, too', async (t) => {
  const world = await newWorld()
  const { memberIds, personId } = await joined(world)
  const { code, err } = await outcome(t, ['member', 'erase', memberIds[0] ?? '', '--yes'], { DATABASE_URL: url })
  assert.equal(code, 0, err.join('\n'))
  assert.deepEqual(await rowsOf(personId), [0, 0, 0, 0, 0])
})

test('a removed or deactivated member is out there only, and back when restored or reactivated', async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const { browser, memberIds, personId } = await joined(one, other)
  const path = `/members/${memberIds[0]}`
  assert.equal((await one.owner.patch(path, { status: 'deactivated' })).status, 200)
  await isOut(browser, one)
  assert.equal((await browser.get('/me', inOrganization(other))).status, 200)
  assert.equal((await one.owner.patch(path, { status: 'active' })).status, 200)
  assert.equal((await browser.get('/me', inOrganization(one))).status, 200)
  assert.equal((await one.owner.delete(path)).status, 204)
  await isOut(browser, one)
  assert.equal((await browser.get('/me', inOrganization(other))).status, 200)
  assert.equal((await one.owner.post(`${path}/restore`)).status, 200)
  assert.equal((await browser.get('/me', inOrganization(one))).body.member.id, memberIds[0])
  assert.deepEqual(await rowsOf(personId), [1, 1, 1, 1, 2])
})

test('a member is restored without their person if that person has joined as another member meanwhile', async () => {
  const world = await newWorld()
  const { browser, memberIds } = await joined(world)
  assert.equal((await world.owner.delete(`/members/${memberIds[0]}`)).status, 204)
  const fields = { name: 'Nina Again', email: `${crypto.randomUUID()}@example.com`, invite: true }
  const again = await created(world.owner.post('/members', fields))
  const token = again.invitation.link.split('#invitation=')[1]
  assert.equal((await browser.post('/auth/invitation/accept', { token })).status, 204)
  const restored = await world.owner.post(`/members/${memberIds[0]}/restore`)
  assert.equal(restored.status, 200, restored.text)
  assert.equal((await browser.get('/me')).body.member.id, again.id)
  assert.equal((await world.owner.post(`/members/${memberIds[0]}/invite`)).status, 201)
})

test('purging an organization erases the persons who are left without a membership', async () => {
  const [gone, there] = [await newWorld(), await newWorld()]
  const [only, both] = [await joined(gone), await joined(gone, there)]
  const { body } = await gone.owner.get('/organization')
  assert.equal((await gone.owner.delete(`/organization?name=${encodeURIComponent(body.name)}`)).status, 204)
  assert.deepEqual(await rowsOf(only.personId), [1, 1, 1, 1, 1])
  assert.deepEqual([...(await ranOnce(db, (run) => removeDeleted(run), new Date(Date.now() + 31 * 86_400_000)))], [])
  assert.deepEqual(await rowsOf(only.personId), [0, 0, 0, 0, 0])
  assert.deepEqual(await rowsOf(both.personId), [1, 1, 1, 1, 1])
})
