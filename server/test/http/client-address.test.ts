import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSubnet, type Subnet } from '../../src/contract/addresses.ts'
import { clientAddress } from '../../src/http/headers.ts'

const subnets = (...written: string[]) => written.map((text) => readSubnet(text) as Subnet)
const behind = (who: Subnet[] | number, header: 'x-forwarded-for' | 'forwarded' = 'x-forwarded-for') => {
  const find = clientAddress({ who, header })
  return (peer: string, value?: string) => find(peer, value === undefined ? {} : { [header]: value })
}

test('without trusted proxies the client address is that of the connection, whatever headers say', () => {
  const find = clientAddress(undefined)
  assert.equal(find('192.0.2.1', { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }), '192.0.2.1')
  assert.equal(find('::ffff:192.0.2.1', {}), '192.0.2.1')
})

test('behind trusted proxies the last untrusted address counts, and no other proxy is trusted', () => {
  const find = behind(subnets('10.0.0.0/8', '2001:db8:1::/48'))
  assert.equal(find('192.0.2.1', '203.0.113.9'), '192.0.2.1')
  assert.equal(find('10.0.0.1'), '10.0.0.1')
  assert.equal(find('10.0.0.1', '203.0.113.9'), '203.0.113.9')
  // the client wrote the first two itself
  assert.equal(find('::ffff:10.0.0.1', '198.51.100.7, 10.0.0.5, 203.0.113.9, 10.0.0.2'), '203.0.113.9')
  assert.equal(find('2001:db8:1::7', '[2001:DB8:2::1]:443'), '2001:db8:2::1')
  assert.equal(find('10.0.0.1', '203.0.113.9:51324'), '203.0.113.9')
  for (const nonsense of ['unknown', '', '_hidden', '203.0.113.9, ', "1' or 1=1", '203.0.113.9, 999.1.1.1'])
    assert.equal(find('10.0.0.1', nonsense), '10.0.0.1')
})

test('a number of proxies counts from the connection, and if the header has fewer, all of them count', () => {
  assert.equal(behind(1)('192.0.2.1', '198.51.100.7, 203.0.113.9'), '203.0.113.9')
  assert.equal(behind(2)('192.0.2.1', '198.51.100.7, 203.0.113.9, 10.0.0.2'), '203.0.113.9')
  assert.equal(behind(3)('192.0.2.1', '203.0.113.9'), '203.0.113.9')
})

test('Forwarded is parsed by its grammar, and a malformed one is ignored', () => {
  const find = behind(subnets('10.0.0.0/8'), 'forwarded')
  const last = (value: string) => find('10.0.0.1', value)
  assert.equal(last('for=203.0.113.9'), '203.0.113.9')
  assert.equal(last('For="203.0.113.9:4711";proto=https;by=10.0.0.1'), '203.0.113.9')
  assert.equal(last('for=198.51.100.7, for="[2001:db8::1]:443";host="a,b;for=1.1.1.1"'), '2001:db8::1')
  assert.equal(last('for=198.51.100.7, proto=https;for=203.0.113.9, for=10.3.3.3'), '203.0.113.9')
  // what a client begins so that what a proxy appends lies within it
  for (const open of ['for="x, for=203.0.113.9', 'for=203.0.113.9 for=1.1.1.1', 'for=203.0.113.9, for']) {
    assert.equal(last(open), '10.0.0.1')
  }
  assert.equal(last('for=198.51.100.7, proto=https'), '10.0.0.1')
})

test('only the configured header is trusted, because a proxy passes the other one on as it came', () => {
  const both = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=198.51.100.7' }
  const who = subnets('10.0.0.0/8')
  assert.equal(clientAddress({ who, header: 'x-forwarded-for' })('10.0.0.1', both), '203.0.113.9')
  assert.equal(clientAddress({ who, header: 'forwarded' })('10.0.0.1', both), '198.51.100.7')
})
