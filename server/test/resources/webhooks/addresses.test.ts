import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, isIn, readAddress, readSubnet } from '../../../src/contract/addresses.ts'
import { mayConnectTo } from '../../../src/resources/webhooks/guard.ts'

const address = (text: string): Address => readAddress(text) ?? assert.fail(`${text} was not read`)

test('an address has the same bytes in each of its spellings', () => {
  const spellings = [
    ['127.0.0.1', '7f000001'],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['0:0:0:0:0:0:0:1', `${'00'.repeat(15)}01`],
    ['::ffff:127.0.0.1', `${'00'.repeat(10)}ffff7f000001`],
    ['::ffff:7F00:1', `${'00'.repeat(10)}ffff7f000001`],
    ['0:0:0:0:0:ffff:127.0.0.1', `${'00'.repeat(10)}ffff7f000001`],
    ['::127.0.0.1', `${'00'.repeat(12)}7f000001`],
    ['64:ff9b::169.254.169.254', '0064ff9b0000000000000000a9fea9fe'],
    ['2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
    ['2001:db8::', '20010db8000000000000000000000000'],
    ['1::2:3', '00010000000000000000000000020003'],
    ['1234::', '12340000000000000000000000000000'],
  ] as const
  for (const [text, bytes] of spellings) assert.equal(Buffer.from(address(text)).toString('hex'), bytes, text)
})

test('a text that is not a plain address is not parsed', () => {
  const others = [
    '',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '127.0.0.1.',
    '[::1]',
    'fe80::1%lo',
    '::1%1',
    'localhost',
    '1.2.3.4/8',
    ':::',
    '1.2.3.256',
    ' ::1',
  ]
  for (const text of others) assert.equal(readAddress(text), undefined, text)
})

test('the server connects only to global unicast addresses, by the registries of IANA', () => {
  const refused = [
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1'],
    ...['127.255.255.255', '169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.9'],
    ...['192.0.0.170', '192.0.0.255', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.0'],
    ...[
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...['::', '::1', '::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:8.8.8.8'],
    ...['64:ff9b::a9fe:a9fe', '64:ff9b::8.8.8.8', '64:ff9b:1::a9fe:a9fe', '100::1', '100:0:0:1::1', '1000::1'],
    ...['1fff:ffff::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:1::1', '2001:2::1', '2001:3::1'],
    ...['2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff:ffff::1', '2001:db8::1'],
    ...['2001:db8:ffff::1', '2002::1', '2002:7f00:1::', '2002:808:808::1', '3fff::1', '3fff:fff:ffff::1', '4000::1'],
    ...['5f00::1', '8000::1', 'fc00::1', 'fd00::2', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ffff::1'],
  ]
  for (const text of refused) assert.equal(mayConnectTo(address(text), []), false, text)
  const taken = [
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255'],
    ...['192.0.1.0', '192.0.3.0', '192.31.196.1', '192.52.193.1', '192.167.255.255', '192.169.0.0', '192.175.48.1'],
    ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
    ...['223.255.255.255', '2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::1'],
    ...['2003::1', '2606:4700:4700::1111', '2620:4f:8000::1', '3ffe::1', '3fff:1000::1'],
  ]
  for (const text of taken) assert.equal(mayConnectTo(address(text), []), true, text)
})

test('a subnet contains exactly the addresses of its prefix', () => {
  const cases = [
    ['127.0.0.0/8', '127.255.0.1', true],
    ['127.0.0.0/8', '128.0.0.1', false],
    ['127.0.0.0/8', '::ffff:127.0.0.1', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['192.168.128.0/17', '192.168.127.255', false],
    ['192.168.128.0/17', '192.168.255.255', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '::1', false],
    ['fd00::/8', 'fdff::1', true],
    ['fd00::/8', 'fc00::1', false],
    ['::1', '::1', true],
    ['::1/128', '::2', false],
  ] as const
  for (const [subnet, one, inside] of cases)
    assert.equal(isIn(readSubnet(subnet) ?? assert.fail(subnet), address(one)), inside, `${one} in ${subnet}`)
  for (const text of [
    '127.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/-1',
    'fd00::/129',
    'local',
  ])
    assert.equal(readSubnet(text), undefined, text)
})
