import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/db/ids.ts'
import { knownBrowser, markBrowser } from '../../src/persons/known-browsers.ts'
import { sharedServer } from '../support/world.ts'

const { db } = await sharedServer()

test('a browser is known to the people who signed in with it, and to nobody else', async () => {
  const [ann, ben, stranger] = [newId(), newId(), newId()]
  const cookie = await markBrowser(db, await markBrowser(db, undefined, ann), ben)
  const browserId = cookie.split('.')[0]
  assert.equal(await knownBrowser(db, cookie, ann), browserId)
  assert.equal(await knownBrowser(db, cookie, ben), browserId)
  for (const personId of [stranger, null]) assert.equal(await knownBrowser(db, cookie, personId), undefined)
  assert.equal((await markBrowser(db, cookie, ann)).split('.').length, 3, 'a second sign-in adds no second mark')
})

test('a mark of another browser, or one that somebody made up, makes no browser known', async () => {
  const ann = newId()
  const [own, other] = [await markBrowser(db, undefined, ann), await markBrowser(db, undefined, ann)]
  const mixed = `${other.split('.')[0]}.${own.split('.')[1]}`
  const made = `${own.split('.')[0]}.${'A'.repeat(22)}`
  for (const cookie of [mixed, made, own.slice(0, -1), `${own}!`, '', 'x'])
    assert.equal(await knownBrowser(db, cookie, ann), undefined, cookie)
  assert.match(await markBrowser(db, 'nonsense', ann), /^[\w-]{22}\.[\w-]{22}$/)
})

test('a browser remembers the five people who signed in last', async () => {
  const people = Array.from({ length: 7 }, newId)
  let cookie: string | undefined
  for (const personId of people) cookie = await markBrowser(db, cookie, personId)
  const known = await Promise.all(people.map((personId) => knownBrowser(db, cookie, personId)))
  assert.deepEqual(
    known.map((one) => one !== undefined),
    [false, false, true, true, true, true, true],
  )
})
