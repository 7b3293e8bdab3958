import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { checkPassword, hashPassword } from '../../src/persons/passwords.ts'
import { networkOf } from '../../src/persons/throttle.ts'
import { newNetwork } from '../support/people.ts'

const password = 'purple ferns gallop'

test('a hash says how it was made, with a salt of its own', async () => {
  const from = newNetwork()
  const [one, other] = [await hashPassword(password, from), await hashPassword(password, from)]
  assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.notEqual(one, other)
  assert.equal(await checkPassword(password, one, from), 'right')
  assert.equal(await checkPassword(`${password} `, one, from), 'wrong')
})

test('a hash of other parameters still works, and is outdated', async () => {
  const salt = Buffer.from('0123456789abcdef')
  const hash = scryptSync(password, salt, 32, { N: 1_024, r: 8, p: 1 })
  const stored = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64').slice(0, 22)}$${hash.toString('base64').slice(0, 43)}`
  assert.equal(await checkPassword(password, stored, newNetwork()), 'outdated')
  assert.equal(await checkPassword('another one', stored, newNetwork()), 'wrong')
})

test('no password is right where none is stored', async () => {
  assert.equal(await checkPassword('', null, newNetwork()), 'wrong')
})

// so that these tests are fast
const cheap = `$scrypt$ln=4,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

test('of many at once, those of one network do not hold up those of another', async () => {
  const flood = newNetwork()
  let done = 0
  const many = Array.from({ length: 15 }, () => checkPassword('x', cheap, flood).then(() => done++))
  await checkPassword('x', cheap, newNetwork())
  assert.ok(done < 15, `${done} of the flood were first`)
  await Promise.all(many)
})

test('a flood is refused when too many wait, so that it takes no more memory', async () => {
  const flood = newNetwork()
  const statuses = await Promise.all(
    Array.from({ length: 100 }, () => checkPassword('x', cheap, flood).catch(({ status }) => status)),
  )
  assert.deepEqual([...new Set(statuses)].toSorted(), [503, 'wrong'])
})

test('the network of an address is 24 bits of IPv4 and 64 of IPv6', () => {
  assert.equal(networkOf('203.0.113.7'), networkOf('203.0.113.250'))
  assert.notEqual(networkOf('203.0.113.7'), networkOf('203.0.112.7'))
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff::9'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
})
