import assert from 'node:assert/strict'
import { once } from 'node:events'
import https from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { readSubnet } from '../../../src/contract/addresses.ts'
import { NoAnswer, type PostOptions, post } from '../../../src/jobs/deliveries/post.ts'
import { certificate } from '../../support/certificate.ts'
import { startReceiver } from '../../support/receiver.ts'

const options: PostOptions = {
  allowed: [readSubnet('127.0.0.0/8') ?? assert.fail()],
  resolve: async () => ['127.0.0.1'],
}
const never = new AbortController().signal

const send = (url: string, more: Partial<PostOptions> = {}, signal = never) =>
  post(url, { 'content-type': 'application/json' }, '{"a":"ü"}', signal, { ...options, ...more })

const refusal = (sentence: RegExp) => (error: Error) => {
  assert.ok(error instanceof NoAnswer, error.stack)
  assert.match(error.message, sentence)
  return true
}

/** A receiver that writes what it likes once it has read the head of a request. */
async function startRaw(t: TestContext, write: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => write(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets }
}

/** Resolves once a connection is closed, be it by a reset. */
async function closing(socket: Socket | undefined) {
  if (socket?.closed === false) await new Promise((resolve) => socket.once('close', resolve))
}

test('a message arrives complete, with its headers, its path and its host name', async (t) => {
  const receiver = await startReceiver(t, (_, response) =>
    response.writeHead(201, { 'retry-after': '7' }).end('thanks'),
  )
  const url = `http://receiver.example:${receiver.port}/hooks?a=b%20c`
  assert.deepEqual(await send(url), { status: 201, text: 'thanks', retryAfter: '7' })
  const [{ path, headers, body } = assert.fail()] = receiver.received
  assert.deepEqual({ path, body }, { path: '/hooks?a=b%20c', body: '{"a":"ü"}' })
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'content-length': '10',
    host: `receiver.example:${receiver.port}`,
    connection: 'close',
  })
})

test('a redirect is a failure like others, and is not followed', async (t) => {
  const elsewhere = await startReceiver(t)
  const receiver = await startReceiver(t, (_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  assert.equal((await send(receiver.url)).status, 307)
  assert.equal(elsewhere.received.length, 0)
})

test('the server reads the first 1,024 bytes of a response, then closes the connection', async (t) => {
  let ended = () => {}
  const closed = new Promise<void>((resolve) => {
    ended = resolve
  })
  const receiver = await startReceiver(t, (_, response) => {
    response.on('close', ended).writeHead(200)
    const pour = () => response.destroyed || response.write('é'.repeat(10_000), pour)
    response.write('x')
    pour()
  })
  const { status, text } = await send(receiver.url)
  assert.equal(status, 200)
  // a letter that is cut in two is left out
  assert.equal(text, `x${'é'.repeat(511)}`)
  await closed
})

test('a response is stored as text that the database accepts', async (t) => {
  const receiver = await startReceiver(t, (_, response) => response.end(Buffer.from([0x61, 0, 0xff, 0xc3])))
  assert.equal((await send(receiver.url)).text, 'a\ufffd\ufffd')
})

test('a response that is not complete in time is given up, at whatever point it hangs', async (t) => {
  const beginnings = ['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc']
  for (const beginning of beginnings) {
    const { url, sockets } = await startRaw(t, (socket) => {
      const dripping = setInterval(
        () => socket.write(beginning.endsWith('abc') ? '' : 'HTTP/1.1 100 Continue\r\n\r\n'),
        100,
      )
      socket.write(beginning === '' ? 'HTTP/1.1 102 Processing\r\n\r\n' : beginning)
      if (beginning !== '') clearInterval(dripping)
      socket.on('close', () => clearInterval(dripping))
    })
    await assert.rejects(send(url, { timeoutMs: 300 }), refusal(/^No complete response within 0.3 seconds$/))
    await closing(sockets[0])
  }
  const silent = { timeoutMs: 300, resolve: () => new Promise<never>(() => {}) }
  await assert.rejects(send('https://silent.example/', silent), refusal(/^No complete response within 0.3 seconds$/))
})

test('a receiver that announces an endless response is given up at once', async (t) => {
  for (const announcement of [
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n',
  ]) {
    const { url, sockets } = await startRaw(t, (socket) => {
      const pour = () => socket.destroyed || socket.write(announcement.repeat(1_000), pour)
      pour()
    })
    await assert.rejects(send(url), refusal(/^The receiver sends too many 1xx responses$/))
    await closing(sockets[0])
  }
  const few = await startRaw(t, (socket) =>
    socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`),
  )
  assert.equal((await send(few.url)).status, 204)
})

test('a status counts even if the body after it breaks off', async (t) => {
  const { url } = await startRaw(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
  assert.deepEqual(await send(url), { status: 200, text: 'abc', retryAfter: undefined })
})

test('a missing response is described in one sentence, without an address', async (t) => {
  const breaking = await startRaw(t, (socket) => socket.destroy())
  await assert.rejects(send(breaking.url), refusal(/^The connection broke: ECONNRESET$/))
  const chatty = await startRaw(t, (socket) => socket.end('Hello!\r\n\r\n'))
  await assert.rejects(send(chatty.url), refusal(/^The response is not valid HTTP$/))
  const unknown = await startRaw(t, (socket) => socket.end('HTTP/1.1 999 Yes\r\ncontent-length: 0\r\n\r\n'))
  await assert.rejects(send(unknown.url), refusal(/^The response is not valid HTTP$/))
  const long = await startRaw(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(20_000)}\r\n\r\n`))
  await assert.rejects(send(long.url), refusal(/^The headers of the response are too long$/))
  const upgrading = await startRaw(t, (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\n'),
  )
  await assert.rejects(send(upgrading.url), refusal(/^The receiver switched to another protocol$/))
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  await assert.rejects(send(`http://127.0.0.1:${port}/`), refusal(/^The connection was refused$/))
  const resolve = async () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
  await assert.rejects(send('https://unknown.example/', { resolve }), refusal(/^The host name was not found$/))
})

test('an aborted request has its own reason, and the connection closes', async (t) => {
  const leaving = new AbortController()
  const { url, sockets } = await startRaw(t, () => leaving.abort(new Error('stopping')))
  await assert.rejects(send(url, {}, leaving.signal), /^Error: stopping$/)
  await closing(sockets[0])
  await assert.rejects(send(url, {}, leaving.signal), /^Error: stopping$/)
  assert.equal(sockets.length, 1)
})

test('a receiver is trusted by its certificate, with any environment variables', async (t) => {
  const { key, cert } = certificate
  const names: (string | false | null)[] = []
  const server = https.createServer({ key, cert }, (_, response) => response.writeHead(204).end())
  server.on('tlsClientError', () => {})
  server.on('secureConnection', ({ servername }) => names.push(servername))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const trusting = { ca: cert }
  for (const host of ['receiver.example', 'receiver.example.', '127.0.0.1'])
    assert.equal((await send(`https://${host}:${port}/`, trusting)).status, 204, host)
  assert.deepEqual(names, ['receiver.example', 'receiver.example', false])
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  await assert.rejects(send(`https://receiver.example:${port}/`), refusal(/^No trusted connection: /))
  await assert.rejects(send(`https://other.example:${port}/`, trusting), refusal(/^No trusted connection: /))
})

test('no proxy of the environment is used', async (t) => {
  const [proxy, receiver] = [await startReceiver(t), await startReceiver(t)]
  for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY']) {
    const before = process.env[name]
    process.env[name] = name.startsWith('NODE') ? '1' : proxy.url
    t.after(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
  assert.equal((await send(`http://receiver.example:${receiver.port}/`)).status, 204)
  assert.equal(proxy.received.length, 0)
})

test('each message has its own connection', async (t) => {
  const { url, sockets } = await startRaw(t, (socket) =>
    socket.write('HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\n\r\n'),
  )
  for (let n = 0; n < 3; n++) assert.equal((await send(url)).status, 204)
  assert.equal(sockets.length, 3)
})
