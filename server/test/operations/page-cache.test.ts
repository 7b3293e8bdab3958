import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageCache } from '../../src/operations/page-cache.ts'
import { ask as asking } from '../support/encoded.ts'
import { operatorToken, startServer } from '../support/world.ts'

const page = (length: number) => ({ status: 200, headers: {}, body: 'x'.repeat(length) })
const keyOf = (orgId: string, key: string) => ({ orgId, key, changesByTime: false })

function pages(most: number) {
  let bytes = () => 0
  const cache = new PageCache(most, {
    sent() {},
    watch(asked) {
      bytes = asked
    },
  })
  const keep = (orgId: string, key: string, length: number, asOf = '1.1') => {
    for (let asked = 0; asked < 2; asked++) cache.note(keyOf(orgId, key), asOf, page(length))
  }
  return { cache, keep, has: (orgId: string, key: string) => cache.has(keyOf(orgId, key)), bytes: () => bytes() }
}

test('a page is kept from the second time on, and dropped with all of its organization once that is written to', () => {
  const { cache, keep, has, bytes } = pages(1_000_000)
  cache.note(keyOf('a', '1'), '1.1', page(100))
  assert.equal(has('a', '1'), false)
  keep('a', '1', 100)
  keep('a', '2', 100)
  assert.equal(cache.find(keyOf('a', '1'), '1.1')?.body?.toString(), 'x'.repeat(100))
  assert.equal(cache.find(keyOf('a', '1'), '2.2'), undefined)
  assert.equal(cache.find(keyOf('b', '1'), '1.1'), undefined)
  cache.note(keyOf('a', '3'), '2.2', page(100))
  assert.deepEqual([has('a', '1'), has('a', '2'), cache.find(keyOf('a', '1'), '1.1')], [false, false, undefined])
  assert.ok(bytes() < 200)
})

test('all pages together take no more than they may, whatever is asked for, and how often', () => {
  const { cache, keep, bytes } = pages(100_000)
  for (let n = 0; n < 2_000; n++) {
    keep(`org ${n % 7}`, `page ${n % 300}`, 1_000 + (n % 3_000))
    cache.note(keyOf('of many', `asked once ${n}`), '1.1', page(10))
    assert.ok(bytes() <= 100_000, `${bytes()}`)
  }
  assert.ok(bytes() > 80_000)
  // one that would take the place of many
  keep('long', 'page', 50_000)
  assert.ok(cache.find(keyOf('long', 'page'), '1.1') === undefined)
})

test('an organization that asks for very many pages takes the places of its own, not those of others', () => {
  const { keep, has } = pages(100_000)
  for (let n = 0; n < 20; n++) keep('small', `${n}`, 1_000)
  for (let n = 0; n < 1_000; n++) keep('loud', `${n}`, 1_000)
  for (let n = 0; n < 20; n++) assert.ok(has('small', `${n}`), `${n}`)
  assert.ok(has('loud', '999') && !has('loud', '0'))
})

test('of an organization alone what was asked for lately stays', () => {
  const { cache, keep, has } = pages(100_000)
  for (let n = 0; n < 300; n++) {
    keep('a', `${n}`, 1_000)
    cache.find(keyOf('a', '0'), '1.1')
  }
  assert.ok(has('a', '0') && !has('a', '1'))
})

test('a page that is asked for again and again is sent from memory, compressed or not, as it was read', async () => {
  const server = await startServer({ keptBytes: 1_000_000 })
  const { owner, project, task } = await server.newWorld()
  const { id: projectId } = await project()
  for (let n = 0; n < 20; n++) await task({ projectId, name: `Ünder way ${n}` })
  const sent = async () => {
    const metrics = await fetch(`${server.base}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
    return Number(/^kept_pages_sent_total (\d+)$/m.exec(await metrics.text())?.[1])
  }
  const ask = (encoding: string) =>
    asking(`${server.base}/api/v1/tasks`, { authorization: `Bearer ${owner.key}`, 'accept-encoding': encoding })
  const first = await ask('identity')
  for (const encoding of ['identity', 'gzip', 'identity', 'gzip']) {
    const { text, headers } = await ask(encoding)
    assert.equal(text, first.text)
    assert.equal(headers.etag, first.headers.etag?.replace(/"$/, encoding === 'identity' ? '"' : `-${encoding}"`))
    assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
  }
  assert.equal(await sent(), 3)
  await task({ projectId, name: 'One more' })
  assert.notEqual((await ask('gzip')).text, first.text)
  assert.equal(await sent(), 3)
})
