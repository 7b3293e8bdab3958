import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { newId } from '../../src/db/ids.ts'
import { sql } from '../../src/db/sql.ts'
import { deleteOldSignIns } from '../../src/jobs/sign-in-retention.ts'
import { ranOnce } from '../support/running.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// of its own, because the job looks at the whole instance
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const days = (count: number) => hours(24 * count)
const forgets = (batch?: number) => ranOnce(db, (run) => deleteOldSignIns(run, batch))

/** The texts of a column that are left. */
const left = async (table: string, column: string) =>
  (await db.rows<{ text: string }>(sql`select ${sql.named(column)}::text as text from ${sql.named(table)}`))
    .map(({ text }) => text)
    .toSorted()

async function insert(table: string, rows: Record<string, unknown>[]) {
  for (const row of rows) await db.rows(sql`insert into ${sql.named(table)} ${sql.values(row)}`)
}

const person = (name: string, createdAt: string) => ({ id: newId(), name, createdAt, updatedAt: createdAt })

const session = (personId: string, address: string, lastUsedAt: string, expiresAt: string) => ({
  ...{ id: newId(), personId, tokenHash: randomBytes(32), signedInBy: 'link', address, userAgent: 'x' },
  ...{ signedInAt: lastUsedAt, createdAt: lastUsedAt, lastUsedAt, expiresAt },
})

test('what signing in leaves behind is deleted when its time is over, and nothing before', async () => {
  const { id: personId } = person('x', hours(0))
  await insert('sessions', [
    session(personId, 'live', days(-13.9), days(1)),
    session(personId, 'unused', days(-14.1), days(1)),
    session(personId, 'long', hours(-1), hours(-0.1)),
  ])
  const token = (kind: string, expiresAt: string) => ({ hash: randomBytes(32), kind, createdAt: days(-1), expiresAt })
  await insert('signInTokens', [token('live', hours(0.1)), token('over', hours(-0.1))])
  const failure = (failures: number, updatedAt: string) => ({
    ...{ bucket: randomBytes(32), failures, nextTryAt: updatedAt, updatedAt },
  })
  await insert('signInFailures', [failure(1, hours(-23)), failure(2, hours(-25))])
  const login = (userCode: string, expiresAt: string) => ({
    ...{ id: newId(), deviceHash: randomBytes(32), userCode, deviceName: 'tw', address: 'x' },
    ...{ createdAt: hours(-1), expiresAt },
  })
  await insert('deviceLogins', [login('LIVE', hours(0.1)), login('OVER', hours(-0.1))])
  const mail = (cause: string, createdAt: string) => ({
    ...{ id: newId(), cause, kind: 'test', recipient: 'ann@example.org', data: '{}', createdAt },
  })
  await insert('outgoingMail', [mail('kept', days(-29)), mail('old', days(-31)), mail('older', days(-40))])
  // a batch of one must go on until nothing is left to delete
  assert.deepEqual([...(await forgets(1))], [])
  assert.deepEqual(await left('sessions', 'address'), ['live'])
  assert.deepEqual(await left('signInTokens', 'kind'), ['live'])
  assert.deepEqual(await left('signInFailures', 'failures'), ['1'])
  assert.deepEqual(await left('deviceLogins', 'userCode'), ['LIVE'])
  assert.deepEqual(await left('outgoingMail', 'cause'), ['kept'])
})

test('a person in no organization and without a session is deleted after 30 days, with their ways to sign in', async () => {
  const { owner, orgId } = await newWorld()
  const people = {
    fresh: person('fresh', days(-29)),
    signedIn: person('signed in', days(-40)),
    member: person('member', days(-40)),
    stranger: person('stranger', days(-31)),
    other: person('other stranger', days(-400)),
  }
  await insert('persons', Object.values(people))
  await insert('sessions', [session(people.signedIn.id, 'stays', hours(-1), days(1))])
  await db.rows(sql`
    update members set person_id = ${people.member.id} where org_id = ${orgId} and id = ${owner.memberId}`)
  for (const { id, name } of Object.values(people)) {
    await insert('identities', [
      { id: newId(), personId: id, issuer: 'https://id.example', subject: name, createdAt: hours(0) },
    ])
    await insert('passkeys', [
      {
        id: newId(),
        personId: id,
        credentialId: randomBytes(8),
        publicKey: randomBytes(8),
        counter: 0,
        name,
        createdAt: hours(0),
      },
    ])
  }
  assert.deepEqual([...(await forgets(1))], [])
  const names = ['fresh', 'member', 'signed in']
  assert.deepEqual(await left('persons', 'name'), names)
  assert.deepEqual(await left('identities', 'subject'), names)
  assert.deepEqual(await left('passkeys', 'name'), names)
})
