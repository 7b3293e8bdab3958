import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type TestContext, test } from 'node:test'
import { readSubnet } from '../../../src/contract/addresses.ts'
import { NoAnswer, post } from '../../../src/jobs/deliveries/post.ts'

/** Hosts as an attacker writes them: this machine, its networks, the metadata of its cloud. */
const literals = [
  // as they are
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
  ...['169.254.169.254', '100.100.100.200', '192.0.0.192', '192.0.2.2', '255.255.255.255', '224.0.0.1', '240.0.0.1'],
  // IPv4 as nobody writes it but the standard reads it: short, decimal, octal, hexadecimal, mixed, with a dot behind
  ...['127.1', '127.0.1', '0', '00', '0x0', '2130706433', '017700000001', '0x7f000001', '0X7F000001', '0177.0.0.1'],
  ...['0x7f.0.0.1', '0x7f.1', '0177.0x0.01', '127.0.0.0x1', '127.0.0.1.', '0x7f000001.', '2852039166', '0xa9fea9fe'],
  ...['0251.0376.0251.0376', '169.16689662', '0xA9.0xFE.43518', '00000000177.0.0.1'],
  // in letters that become digits and dots
  ...[
    '①②⑦.⓪.⓪.①',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '𝟭𝟮𝟳.0.0.1',
  ],
  // IPv6
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0001]', '[fd00::2]'],
  ...['[fe80::1]', '[fe80::fc:ff:fe00:1]', '[fec0::1]', '[ff02::1]', '[fd00:ec2::254]', '[100::1]', '[5f00::1]'],
  ...['[2001:db8::1]', '[3fff::1]', '[4000::1]', '[2001:10::1]', '[2001:20::1]', '[2001:2::1]'],
  // IPv4 in IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:7F00:0001]', '[0:0:0:0:0:ffff:7f00:1]', '[::ffff:a9fe:a9fe]'],
  ...['[::ffff:0.0.0.0]', '[::127.0.0.1]', '[::7f00:1]', '[::a9fe:a9fe]', '[::ffff:0:7f00:1]', '[64:ff9b::7f00:1]'],
  ...[
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:1::1]',
  ],
  ...[
    '[2002:a9fe:a9fe::1]',
    '[2001:0:7f00:1::]',
    '[2001::ffff:80ff:fffe]',
    '[fe80::5efe:7f00:1]',
    '[fd00::5efe:7f00:1]',
  ],
  // zones, and what only looks like one part of a URL
  ...['[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]', '[::1%lo]', '[fe80::1%251]', '127.0.0.1%00.example.com'],
  ...['user@127.0.0.1', 'example.com:443@127.0.0.1', 'user:password@[::1]', 'example.com@[::ffff:7f00:1]'],
]

/** What a name server may answer, of which something is not public. */
const answers: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  unix: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'sub.localhost': ['::1'],
  'hidden.example': ['127.0.0.1'],
  'second.example': ['192.0.2.255', '8.8.8.8'],
  'last.example': ['8.8.8.8', '2606:4700:4700::1111', '1.1.1.1', '127.0.0.1'],
  'six.example': ['2606:4700:4700::1111', '::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mapped-words.example': ['::ffff:7f00:1'],
  'compatible.example': ['::7f00:1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'six-to-four.example': ['2002:7f00:1::'],
  'teredo.example': ['2001:0:7f00:1::'],
  'zone.example': ['fe80::1%lo'],
  'global-zone.example': ['2606:4700:4700::1111%lo'],
  'metadata.google.internal': ['169.254.169.254'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'everything.example': ['0.0.0.0'],
  'nothing.example': [],
  'no-address.example': ['localhost'],
  'octal.example': ['0177.0.0.1'],
  'brackets.example': ['[::1]'],
  'xn--e1afmkfd.example': ['fd00::2'],
}

test('no hostile URL leads to a connection', async (t) => {
  const { port, connections } = await listenEverywhere(t)
  const urls = [...literals, ...Object.keys(answers)].flatMap((host) => [
    `https://${host}:${port}/hooks`,
    `http://${host}:${port}/hooks`,
  ])
  urls.push('file:///etc/passwd', 'gopher://127.0.0.1:70/', 'ftp://127.0.0.1/', 'data:text/plain,a', 'unix:/tmp/socket')
  urls.push(
    'http://unix:/tmp/socket:/hooks',
    'javascript:0',
    '//127.0.0.1/',
    '/hooks',
    '',
    'https://',
    'https:127.0.0.1',
  )
  assert.ok(urls.length >= 200)
  // so that http: is not refused for itself
  const allowed = [readSubnet('198.51.100.7') ?? assert.fail()]
  const resolve = async (name: string) => answers[name] ?? assert.fail(`${name} was looked up`)
  for (const url of urls) {
    const sent = post(url, {}, '{}', AbortSignal.timeout(10_000), { allowed, resolve })
    await assert.rejects(sent, (error: Error) => {
      assert.ok(error instanceof NoAnswer, `${url}: ${error.stack}`)
      assert.match(error.message, /^The URL is refused|^The name resolves to an address that is not public, /, url)
      return true
    })
  }
  await connections.settled()
  assert.equal(connections.count, 0)
})

test('the listener of this test sees every connection to any address of this machine', async (t) => {
  const { port, connections, addresses } = await listenEverywhere(t)
  for (const host of addresses) {
    const before = connections.count
    const socket = connect(port, host)
    await once(socket, 'connect')
    socket.destroy()
    await connections.settled()
    assert.ok(connections.count > before, host)
  }
})

test('a DNS record that changes is looked up once for each attempt, and each attempt uses its own result', async (t) => {
  const { port, connections, seen } = await listenEverywhere(t)
  const allowed = [readSubnet('127.0.0.1') ?? assert.fail()]
  const turns = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.1']]
  let asked = 0
  const resolve = async () => turns[asked++] ?? assert.fail()
  const send = () =>
    post(`http://changing.example:${port}/`, {}, '{}', AbortSignal.timeout(10_000), { allowed, resolve })
  await assert.rejects(send(), /connection broke/)
  await assert.rejects(send(), /not public/)
  await assert.rejects(send(), /not public/)
  await assert.rejects(send(), /connection broke/)
  await connections.settled()
  assert.equal(asked, 4)
  assert.deepEqual(seen, ['127.0.0.1', '127.0.0.1'])
})

test('a name can resolve to allowed addresses, and then needs no TLS; a public address needs it', async () => {
  const allowed = [readSubnet('127.0.0.0/8') ?? assert.fail()]
  const mixed = async () => ['127.0.0.1', '8.8.8.8']
  const sent = post('http://mixed.example:9/', {}, '{}', AbortSignal.timeout(10_000), { allowed, resolve: mixed })
  await assert.rejects(sent, /must begin with https/)
})

test('one response names everything that is refused, with the setting by which the operator can allow it', async () => {
  const told = async (url: string, allowed: string, found: string[] = []) => {
    const subnets = allowed === '' ? [] : [readSubnet(allowed) ?? assert.fail()]
    const sent = post(url, {}, '{}', AbortSignal.timeout(10_000), { allowed: subnets, resolve: async () => found })
    return sent.then(
      () => assert.fail(`${url} was sent`),
      ({ message }: Error) => message,
    )
  }
  const unless = 'unless the operator allows its address with WEBHOOK_ALLOWED_SUBNETS'
  const both = `must begin with https://, ${unless}; must be a public address, ${unless}`
  assert.equal(await told('http://10.0.0.5/', ''), `The URL is refused: ${both}`)
  assert.equal(
    await told('https://localhost/', '10.0.0.0/8'),
    `The URL is refused: must not name the machine of the server, ${unless}`,
  )
  assert.equal(await told('http://8.8.8.8/', ''), 'The URL is refused: must begin with https://')
  assert.equal(
    await told('http://name.example/', '10.0.0.0/8', ['8.8.8.8']),
    `The URL must begin with https://, ${unless}`,
  )
  assert.equal(
    await told('https://name.example/', '', ['10.0.0.5']),
    'The name resolves to an address that is not public, and the operator does not allow it with WEBHOOK_ALLOWED_SUBNETS',
  )
})

/** Listens on all addresses of this machine, and breaks off every connection. */
async function listenEverywhere(t: TestContext) {
  const seen: string[] = []
  const server = createServer((socket) => {
    seen.push((socket.localAddress ?? '').replace(/^::ffff:/, ''))
    socket.on('error', () => {})
    socket.destroy()
  })
  const interfaces = Object.values(networkInterfaces()).flatMap((all = []) => all)
  const hasIPv6 = interfaces.some(({ family }) => family === 'IPv6')
  server.listen(0, hasIPv6 ? '::' : '0.0.0.0')
  await once(server, 'listening')
  t.after(() => server.close())
  const zoned = ({ address, scopeid }: { address: string; scopeid?: number }, name: string) =>
    scopeid ? `${address}%${name}` : address
  const own = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.map((one) => zoned(one as never, name)),
  )
  const { port } = server.address() as AddressInfo
  const connections = {
    get count() {
      return seen.length
    },
    /** Resolves when a connection made after all others has been seen, and forgets it. */
    async settled() {
      const before = seen.length
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'close')
      while (seen.length === before) await new Promise(setImmediate)
      seen.pop()
    },
  }
  const addresses = [
    ...new Set([...own, '127.0.0.1', ...(process.platform === 'linux' ? ['127.0.0.2', '127.255.255.254'] : [])]),
  ]
  return { port, connections, seen, addresses }
}
