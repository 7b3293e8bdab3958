import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { inTurn } from '../../support/holding.ts'
import { type Api, created, databaseUrl, type Reply, sharedServer } from '../../support/world.ts'

const { api, db, newWorld } = await sharedServer()

const day = 86_400_000
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]
const make = (as: Api, fields: object = {}) => created(as.post('/api-keys', { name: 'Robot', ...fields }))
const idOf = async (as: Api) => (await as.get('/me')).body.apiKey.id
const works = async ({ secret }: { secret: string }) => (await api(secret).get('/me')).status === 200
const lifeOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
  Date.parse(expiresAt) - Date.parse(createdAt)

test('a key created with a key that expires, expires with it unless it is set to expire earlier', async () => {
  const { owner, member } = await newWorld()
  const parent = await make(owner, { expiresAt: fromNow(day) })
  const by = api(parent.secret)
  assert.equal((await make(by)).expiresAt, parent.expiresAt)
  assert.equal((await make(by, { memberId: member.memberId })).expiresAt, parent.expiresAt)
  const sooner = fromNow(day / 2)
  assert.equal((await make(by, { expiresAt: sooner })).expiresAt, sooner)
  for (const expiresAt of [null, fromNow(2 * day)]) {
    const { status, body } = await by.post('/api-keys', { name: 'Robot', expiresAt })
    assert.equal(status, 422)
    const said = [`Must not be later than ${parent.expiresAt}, when the key you use expires`]
    assert.deepEqual(body.details, { formErrors: [], fieldErrors: { expiresAt: said } })
  }
})

test('a key that expires cannot extend its life by rotating itself, or through another key', async () => {
  const { owner } = await newWorld()
  const parent = await make(owner, { expiresAt: fromNow(day) })
  const by = api(parent.secret)
  const successor = await created(by.post(`/api-keys/${parent.id}/rotate`))
  assert.equal(successor.expiresAt, parent.expiresAt)
  const other = await make(owner)
  assert.equal((await created(by.post(`/api-keys/${other.id}/rotate`))).expiresAt, parent.expiresAt)
  for (const expiresAt of [null, fromNow(2 * day)]) {
    const { status, body } = await by.post(`/api-keys/${successor.id}/rotate`, { expiresAt })
    assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['expiresAt']])
  }
})

test('a key of 90 days that is rotated with a key without an end gets a successor of 90 days', async () => {
  const { owner, admin, member } = await newWorld()
  const old = await make(owner, { memberId: member.memberId, expiresAt: fromNow(90 * day) })
  for (const by of [owner, admin, member]) {
    const next = await created(by.post(`/api-keys/${old.id}/rotate`))
    assert.equal(lifeOf(next), lifeOf(old))
    assert.equal((await owner.delete(`/api-keys/${next.id}`)).status, 204)
  }
})

test('a key that is rotated again after a lost response gets another successor of the same life', async () => {
  const { owner } = await newWorld()
  const old = await make(owner)
  for (let time = 0; time < 2; time++) {
    const next = await created(owner.post(`/api-keys/${old.id}/rotate`, { overlapHours: 1 }))
    assert.equal(next.expiresAt, null)
  }
})

test('the key in use can only be rotated with an overlap, in which a lost response can be requested again', async () => {
  const { owner } = await newWorld()
  const key = await make(owner)
  const by = api(key.secret)
  const rotate = (overlapHours: number) =>
    by.post(`/api-keys/${key.id}/rotate`, { overlapHours }, { 'idempotency-key': `${overlapHours}` })
  const { status, body } = await rotate(0)
  assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['overlapHours']])
  assert.ok(await works(key))
  const [first, again] = [await rotate(1), await rotate(1)]
  assert.deepEqual([again.status, again.text], [201, first.text])
  // then by its successor
  assert.equal((await api(first.body.secret).delete(`/api-keys/${key.id}`)).status, 204)
  assert.deepEqual([await works(key), await works(first.body)], [false, true])
})

test('a key shows its creator, and shows with which key it was created to owners, admins and its creator', async () => {
  const { owner, admin, member } = await newWorld()
  const [adminsKey, membersKey] = [await idOf(admin), await idOf(member)]
  const given = await make(admin, { memberId: member.memberId })
  const own = await make(member)
  assert.deepEqual([given.createdBy, given.createdWith], [admin.memberId, adminsKey])
  assert.deepEqual([own.createdBy, own.createdWith], [member.memberId, membersKey])
  for (const [as, ofGiven] of [
    [owner, adminsKey],
    [member, null],
  ] as const) {
    const list = (await as.get(`/api-keys?memberId=${member.memberId}`)).body.data
    for (const [key, createdWith] of [
      [given, ofGiven],
      [own, membersKey],
    ]) {
      const one = (await as.get(`/api-keys/${key.id}`)).body
      assert.deepEqual([one.createdBy, one.createdWith], [key.createdBy, createdWith])
      assert.deepEqual(
        list.find(({ id }: { id: string }) => id === key.id),
        one,
      )
    }
  }
  const me = (await api(given.secret).get('/me')).body.apiKey
  assert.deepEqual([me.createdBy, me.createdWith], [admin.memberId, null])
  const successor = await created(owner.post(`/api-keys/${own.id}/rotate`))
  assert.deepEqual([successor.createdBy, successor.createdWith], [owner.memberId, await idOf(owner)])
  assert.deepEqual((await owner.get('/me')).body.apiKey.createdBy, null)
})

test('a key is revoked with all its descendants, or alone with descendants=false', async () => {
  const { owner, admin, member } = await newWorld()
  const root = await make(owner)
  const child = await make(api(root.secret), { memberId: admin.memberId })
  const grandchild = await make(api(child.secret), { memberId: member.memberId })
  const successor = await created(api(grandchild.secret).post(`/api-keys/${grandchild.id}/rotate`))
  const beside = await make(owner)
  const revoke = async (query = '') => {
    const { status, headers } = await owner.delete(`/api-keys/${root.id}${query}`)
    return [status, headers.get('revoked-keys')]
  }
  assert.deepEqual(await revoke('?dryRun=true'), [204, '4'])
  assert.deepEqual(await revoke('?descendants=false'), [204, '1'])
  assert.deepEqual(await Promise.all([root, child, grandchild, successor].map(works)), [false, true, true, true])
  // also of one that is revoked already
  assert.deepEqual(await revoke(), [204, '3'])
  assert.deepEqual(await revoke(), [204, '0'])
  assert.deepEqual(await Promise.all([child, grandchild, successor, beside].map(works)), [false, false, false, true])
  for (const { id } of [child, grandchild, successor]) {
    assert.notEqual((await owner.get(`/api-keys/${id}`)).body.revokedAt, null)
  }
  for (const by of [owner, admin, member]) assert.equal((await by.get('/me')).status, 200)
})

test('revoking an ancestor of the key in use keeps the key in use and the keys created with it', async () => {
  const { owner } = await newWorld()
  const leaked = await make(owner)
  const successor = await created(api(leaked.secret).post(`/api-keys/${leaked.id}/rotate`))
  const [below, stolen] = [await make(api(successor.secret)), await make(api(leaked.secret))]
  assert.equal((await api(successor.secret).delete(`/api-keys/${leaked.id}`)).status, 204)
  assert.deepEqual(await Promise.all([leaked, successor, below, stolen].map(works)), [false, true, true, false])
  assert.equal((await api(successor.secret).delete(`/api-keys/${successor.id}`)).status, 204)
  assert.deepEqual(await Promise.all([successor, below].map(works)), [false, false])
})

test('a caller who may not revoke all descendants of a key revokes none of them: 403', async () => {
  const { owner, join } = await newWorld()
  const former = await join('Former Admin', 'admin')
  const other = await join('Olga Other', 'member')
  const root = await make(former)
  const child = await make(api(root.secret), { memberId: other.memberId })
  await owner.patch(`/members/${former.memberId}`, { role: 'member' })
  assert.deepEqual(codeOf(await former.delete(`/api-keys/${root.id}`)), [403, 'key_not_yours'])
  assert.deepEqual(await Promise.all([root, child].map(works)), [true, true])
  assert.equal((await former.delete(`/api-keys/${root.id}?descendants=false`)).status, 204)
  assert.deepEqual(await Promise.all([root, child].map(works)), [false, true])
})

test('a key with descendants of more than 600 members cannot be revoked with them at once: 412, but alone it can', async () => {
  const { owner, orgId } = await newWorld()
  const root = await make(owner)
  const id = sql`md5(${orgId}::text || n)`
  await db.rows(sql`
    insert into members (org_id, id, name, name_key, email, role, created_at, updated_at)
    select ${orgId}::uuid, ${id}::uuid, 'One', 'one', n || '@example.com', 'member', now(), now() from generate_series(1, 601) n`)
  await db.rows(sql`
    insert into api_keys (org_id, id, member_id, name, prefix, secret_hash, scopes, created_by, created_with, created_at, updated_at)
    select ${orgId}::uuid, ${id}::uuid, ${id}::uuid, 'Robot', ${root.prefix}, decode(${id} || ${id}, 'hex'), '{read}', ${owner.memberId}::uuid,
      ${root.id}::uuid, now(), now() from generate_series(1, 601) n`)
  const both = () => owner.delete(`/api-keys/${root.id}`)
  assert.deepEqual(codeOf(await both()), [412, 'too_many_changes'])
  assert.ok(await works(root))
  assert.equal((await owner.delete(`/api-keys/${root.id}?descendants=false`)).status, 204)
  const living = () =>
    db.rows<{ id: string }>(sql`
      select id from api_keys where org_id = ${orgId} and created_with = ${root.id} and revoked_at is null`)
  const [one] = await living()
  assert.equal((await owner.delete(`/api-keys/${one?.id}`)).status, 204)
  assert.equal((await both()).status, 204)
  assert.deepEqual(await living(), [])
})

test('a key that is being created while its parent is revoked with its descendants does not survive', async (t) => {
  const { owner, admin, orgId } = await newWorld()
  const root = await make(owner)
  const child = await make(api(root.secret))
  const making = () => api(child.secret).post('/api-keys', { name: 'Late', memberId: admin.memberId })
  const revoking = () => owner.delete(`/api-keys/${root.id}?descendants=true`)
  const [{ status, body: late }, revoked] = await inTurn(t, { url: databaseUrl, orgId }, making, revoking)
  assert.deepEqual([status, revoked.status], [201, 204])
  assert.deepEqual(await Promise.all([child, late].map(works)), [false, false])
})

test('no key is created or rotated with a key that is revoked meanwhile: 401', async (t) => {
  const { owner, orgId } = await newWorld()
  const acts = [
    (by: Api) => by.post('/api-keys', { name: 'Late' }),
    (by: Api, id: string) => by.post(`/api-keys/${id}/rotate`),
  ]
  for (const act of acts) {
    const [key, other] = [await make(owner), await make(owner)]
    const revoking = () => owner.delete(`/api-keys/${key.id}`)
    const acting = () => act(api(key.secret), other.id)
    const [revoked, late] = await inTurn(t, { url: databaseUrl, orgId }, revoking, acting)
    assert.deepEqual([revoked.status, late.status], [204, 401])
  }
})

test('a promoted member loses the keys that somebody below their new role created, and keys created with them', async () => {
  const { owner, admin, join } = await newWorld()
  const rising = await join('Rita Rising', 'member')
  const byAdmin = await make(admin, { memberId: rising.memberId })
  const withIt = await make(api(byAdmin.secret))
  const own = await make(rising)
  const promote = (role: string) => owner.patch(`/members/${rising.memberId}`, { role })
  // an admin may make keys for an admin
  assert.equal((await promote('admin')).status, 200)
  assert.deepEqual(await Promise.all([byAdmin, withIt, own].map(works)), [true, true, true])
  assert.equal((await promote('owner')).status, 200)
  assert.deepEqual(await Promise.all([byAdmin, withIt, own].map(works)), [false, false, true])
  // an owner made this one
  assert.equal((await rising.get('/me')).status, 200)
  assert.deepEqual((await owner.get(`/api-keys/${withIt.id}`)).body.revokedAt !== null, true)
  assert.equal((await promote('member')).status, 200)
  assert.deepEqual(await Promise.all([own, { secret: rising.key }].map(works)), [true, true])
})

test('a key that somebody below the new role created with a key for another member does not survive either', async () => {
  const { owner, admin, join } = await newWorld()
  const [go, rising] = [await join('Gus Between', 'admin'), await join('Rita Rising', 'member')]
  const between = await make(admin, { memberId: go.memberId })
  const known = await make(api(between.secret), { memberId: rising.memberId })
  assert.equal((await owner.patch(`/members/${go.memberId}`, { role: 'owner' })).status, 200)
  assert.deepEqual(await Promise.all([between, known].map(works)), [false, true])
  assert.equal((await owner.patch(`/members/${rising.memberId}`, { role: 'owner' })).status, 200)
  assert.deepEqual([await works(known), (await rising.get('/me')).status], [false, 200])
})

for (const [what, act] of [
  ['deactivated', (by: Api, id: string) => by.patch(`/members/${id}`, { status: 'deactivated' })],
  ['removed', (by: Api, id: string) => by.delete(`/members/${id}`)],
  ['erased', (by: Api, id: string) => by.post(`/members/${id}/erase`)],
] as const) {
  test(`when a member is ${what}, the keys that they created for others are revoked, and keys of owners and admins created with these`, async () => {
    const { owner, admin, join } = await newWorld()
    const [leaving, staying] = [await join('Lea Leaving', 'owner'), await join('Stan Staying', 'member')]
    const [forOwner, forMember] = [
      await make(leaving, { memberId: owner.memberId }),
      await make(leaving, { memberId: staying.memberId }),
    ]
    const known = [forOwner, await make(api(forOwner.secret), { memberId: admin.memberId }), forMember]
    const kept = [await make(api(forMember.secret)), await make(owner), await make(staying)]
    const its = await make(leaving)
    assert.ok((await act(owner, leaving.memberId)).status < 300)
    assert.deepEqual(await Promise.all(known.map(works)), [false, false, false])
    assert.deepEqual(await Promise.all(kept.map(works)), [true, true, true])
    for (const { id } of known) assert.notEqual((await owner.get(`/api-keys/${id}`)).body.revokedAt, null)
    const { revokedAt } = (await owner.get(`/api-keys/${its.id}`)).body
    // keys of who is not erased work again once they are back
    assert.equal(revokedAt !== null, what === 'erased')
  })
}

test('when a member is demoted, keys that they created for others, and keys created with these, are revoked if their members are now above', async () => {
  const { owner, admin, member, join } = await newWorld()
  const falling = await join('Fay Falling', 'owner')
  const [forOwner, forAdmin, forMember] = [
    await make(falling, { memberId: owner.memberId }),
    await make(falling, { memberId: admin.memberId }),
    await make(falling, { memberId: member.memberId }),
  ]
  const withIt = await make(api(forMember.secret))
  const further = await make(api(forAdmin.secret), { memberId: member.memberId })
  const ofAdmin = await make(api(forOwner.secret), { memberId: admin.memberId })
  const keys = [forOwner, await make(api(forOwner.secret)), forAdmin, ofAdmin, forMember, withIt, further]
  assert.equal((await owner.patch(`/members/${falling.memberId}`, { role: 'admin' })).status, 200)
  assert.deepEqual(await Promise.all(keys.map(works)), [false, false, true, true, true, true, true])
  assert.equal((await owner.patch(`/members/${falling.memberId}`, { role: 'member' })).status, 200)
  assert.deepEqual(await Promise.all(keys.map(works)), [false, false, false, false, true, true, true])
  assert.deepEqual(await Promise.all([owner, admin, falling].map(({ key }) => works({ secret: key }))), [
    true,
    true,
    true,
  ])
})

test('a key that a member who stays rotates still works after its creator leaves', async () => {
  const { owner, admin, member } = await newWorld()
  const old = await make(admin, { memberId: member.memberId })
  const next = await created(owner.post(`/api-keys/${old.id}/rotate`))
  assert.equal((await owner.delete(`/members/${admin.memberId}`)).status, 204)
  assert.deepEqual(await Promise.all([old, next].map(works)), [false, true])
})

test('a request that would revoke the key in use, because its creator is affected, gets 412 until the key is rotated', async () => {
  const { owner, join } = await newWorld()
  const other = await join('Olga Other', 'owner')
  const fall = (by: Api) => by.patch(`/members/${owner.memberId}`, { role: 'member' })
  assert.deepEqual(codeOf(await fall(other)), [412, 'key_made_by_member'])
  const next = await created(other.post(`/api-keys/${await idOf(other)}/rotate`))
  assert.equal((await fall(api(next.secret))).status, 200)
  assert.deepEqual(await Promise.all([{ secret: other.key }, next].map(works)), [false, true])
})

test('the key in use is kept if it descends from a key that is revoked, unless the affected member created it', async () => {
  const { owner, join } = await newWorld()
  const falling = await join('Fay Falling', 'owner')
  const known = await make(falling, { memberId: owner.memberId })
  const between = await make(api(known.secret))
  const inUse = await make(api(between.secret))
  const by = api(inUse.secret)
  assert.equal((await by.patch(`/members/${falling.memberId}`, { role: 'admin' })).status, 200)
  assert.deepEqual(await Promise.all([known, between, inUse].map(works)), [false, false, true])
  assert.equal((await by.delete(`/members/${falling.memberId}`)).status, 204)
  assert.ok(await works(inUse))
})

test('a member cannot leave or be demoted if that revokes the last key of an owner: 412', async () => {
  const { owner, join } = await newWorld()
  const other = await join('Olga Other', 'owner')
  const acts = [
    () => owner.patch(`/members/${owner.memberId}`, { role: 'admin' }),
    () => owner.delete(`/members/${owner.memberId}`),
  ]
  for (const act of acts) assert.deepEqual(codeOf(await act()), [412, 'last_owner_key'])
  assert.deepEqual(await Promise.all([owner, other].map(({ key }) => works({ secret: key }))), [true, true])
})

test('a key that somebody creates for another member during their own demotion does not survive', async (t) => {
  const { owner, admin, orgId, join } = await newWorld()
  const other = await join('Anna Admin', 'admin')
  const making = () => admin.post('/api-keys', { name: 'Mine', memberId: other.memberId })
  const demoting = () => owner.patch(`/members/${admin.memberId}`, { role: 'member' })
  const [{ status, body: key }, demoted] = await inTurn(t, { url: databaseUrl, orgId }, making, demoting)
  assert.deepEqual([status, demoted.status, await works(key)], [201, 200, false])
})

for (const first of ['promoted', 'demoted']) {
  test(`a key does not survive if its member is promoted while its creator is demoted, and is ${first} first`, async (t) => {
    const { owner, admin, member, orgId } = await newWorld()
    const key = await make(admin, { memberId: member.memberId })
    const promoting = () => owner.patch(`/members/${member.memberId}`, { role: 'admin' })
    const demoting = () => owner.patch(`/members/${admin.memberId}`, { role: 'member' })
    const acts = first === 'promoted' ? ([promoting, demoting] as const) : ([demoting, promoting] as const)
    const replies = await inTurn(t, { url: databaseUrl, orgId }, ...acts)
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    )
    assert.equal(await works(key), false)
  })
}

test("a key that an admin creates for a member during the member's promotion does not survive", async (t) => {
  const { owner, admin, member, orgId } = await newWorld()
  const making = () => admin.post('/api-keys', { name: 'Mine', memberId: member.memberId })
  const promoting = () => owner.patch(`/members/${member.memberId}`, { role: 'owner' })
  const [{ status, body: key }, promoted] = await inTurn(t, { url: databaseUrl, orgId }, making, promoting)
  assert.deepEqual([status, promoted.status, await works(key)], [201, 200, false])
})

test('a member has at most 100 active keys, with any number of requests at once: 412 for more', async () => {
  const { owner, member } = await newWorld()
  const ask = () => owner.post('/api-keys', { name: 'Robot', memberId: member.memberId })
  for (let made = 1; made < 95; made += 1) assert.equal((await ask()).status, 201)
  const replies = await Promise.all(Array.from({ length: 10 }, ask))
  assert.equal(replies.filter(({ status }) => status === 201).length, 5)
  const refused = [412, 'too_many_api_keys']
  assert.deepEqual(codeOf(await ask()), refused)
  assert.deepEqual(codeOf(await member.post('/api-keys', { name: 'Robot' })), refused)
  const [newest] = (await member.get('/api-keys')).body.data
  const { id, ...successor } = await created(member.post(`/api-keys/${newest.id}/rotate`))
  assert.ok(await works({ secret: successor.secret }))
  assert.deepEqual(codeOf(await member.post(`/api-keys/${id}/rotate`)), refused)
  // those that died count no more
  for (const { id } of (await member.get('/api-keys?limit=3')).body.data) await member.delete(`/api-keys/${id}`)
  assert.equal((await ask()).status, 201)
})
