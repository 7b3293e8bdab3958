import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirstLookUps } from '../../src/access/first-look-ups.ts'
import { newId } from '../../src/db/ids.ts'

const [one, other, address] = [newId(), newId(), '203.0.113.7']

test('keys that an address shows first wait by the organization that they name; those of one that tries bad keys in one line', async () => {
  const lookUps = new FirstLookUps()
  const lineOf = (orgId: string, isSuspect: boolean, from = address) =>
    lookUps.run(from, orgId, isSuspect, async (line) => line)
  assert.notEqual(await lineOf(one, false), await lineOf(other, false))
  assert.equal(await lineOf(one, true), await lineOf(other, true))
  assert.notEqual(await lineOf(one, true), await lineOf(one, false))
  assert.notEqual(await lineOf(one, true), await lineOf(one, true, '203.0.113.8'))
})

test('beyond 64 at a time the keys that an address shows first wait in one line, until fewer are looked up', async () => {
  const lookUps = new FirstLookUps()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const lines: unknown[] = []
  const looking = Array.from({ length: 66 }, () =>
    lookUps.run(address, newId(), false, (line) => {
      lines.push(line)
      return released
    }),
  )
  assert.equal(new Set(lines.slice(0, 64)).size, 64)
  assert.equal(new Set(lines.slice(64)).size, 1)
  release()
  await Promise.all(looking)
  assert.notEqual(await lookUps.run(address, one, false, async (line) => line), lines.at(-1))
})
