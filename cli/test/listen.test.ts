import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { file } from '../../server/test/support/afterwards.ts'
import { twInTerminal } from '../../server/test/support/slow/pty.ts'
import { sharedServer } from '../../server/test/support/world.ts'
import { typingTo } from './support/typing.ts'

const server = await sharedServer()

/** Keeps what it is sent; answers 202. */
async function receiver() {
  const received: { headers: Record<string, string>; body: string }[] = []
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(202).end()
    http.emit('received')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  file.after(async () => http.close())
  return { received, url: `127.0.0.1:${(http.address() as AddressInfo).port}/hooks`, http }
}

test('tw listen shows events as they happen and forwards them signed, until Ctrl-C', async (t) => {
  const world = await server.newWorld()
  const { received, url } = await receiver()
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const env = { TASKWRIGHT_URL: server.base, TASKWRIGHT_API_KEY: world.owner.key, NO_COLOR: '1' }
  const words = ['listen', '--type', 'tag.*', '--after', '0', '--forward-to', url, '--secret', secret]
  const listening = twInTerminal(t, words, env, 200)
  await listening.shows(/Listening\. Press Ctrl-C to stop\./)
  await world.owner.post('/projects', { name: 'Not of this type' })
  await world.tag({ name: 'Urg\u001b[31ment' })
  await listening.shows(
    /\d+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}tag\.created {2}Urg\\u001b\[31ment by Olivia Owner\r\n {2}-> 202 in \d+ ms/,
  )
  listening.type('\u0003')
  assert.equal(await listening.ended(), 130)
  assert.equal(received.length, 1)
  const [{ headers, body } = { headers: {}, body: '' }] = received
  const event = new Webhook(secret).verify(body, headers) as { type: string; id: string }
  assert.deepEqual([event.type, headers['webhook-id']], ['tag.created', event.id])
})

test('tw listen --json prints each event on one line, and says why a receiver did not get it', async () => {
  const world = await server.newWorld()
  await world.project({ name: 'Web site', key: 'WEB' })
  await world.project({ name: 'Shed', key: 'SHED' })
  const { url, http } = await receiver()
  http.close()
  const ending = new AbortController()
  const tw = typingTo(server.base, world.owner.key)
  const place = {
    interrupted: ending.signal,
    heard: (text: string) => /->/.test(text) && ending.abort(),
  }
  const { code, out, err } = await tw(
    `listen --project SHED --after 0 --type project.created --json --forward-to ${url}`,
    place,
  )
  assert.equal(code, 130)
  assert.equal(JSON.parse(out).snapshot.key, 'SHED')
  assert.match(
    err,
    /^Forwarding to 127.*, signed with whsec_[\w+/]{43}=\nListening\. Press Ctrl-C to stop\.\n {2}-> no response \(ECONNREFUSED\)\n$/,
  )
  assert.equal((await tw('listen --after x')).code, 2)
})

test('tw listen says that it listens only once it does', async () => {
  const { owner } = await server.newWorld()
  const tw = typingTo(server.base, owner.key)
  const wrongType = await tw('listen --type nonsense')
  assert.equal(wrongType.code, 1)
  assert.doesNotMatch(wrongType.err, /Listening/)
  const nowhere = await tw('listen', { env: { TASKWRIGHT_URL: 'http://127.0.0.1:9' } })
  assert.equal(nowhere.code, 3)
  assert.doesNotMatch(nowhere.err, /Listening|broke/)
  const ending = new AbortController()
  const asked: string[] = []
  server.app.server.on('request', ({ url = '' }) => asked.push(url))
  await tw('listen', {
    interrupted: ending.signal,
    heard(text) {
      if (!/Listening/.test(text)) return
      assert.ok(
        asked.some((url) => /events(\?|$)/.test(url)),
        'the stream was asked for before',
      )
      ending.abort()
    },
  })
  assert.ok(ending.signal.aborted)
})
