import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { afterwards } from '../../server/test/support/afterwards.ts'
import { certificate } from '../../server/test/support/certificate.ts'
import { program } from '../../server/test/support/slow/pty.ts'
import { sharedServer } from '../../server/test/support/world.ts'
import { openForwardProxy } from './support/forward-proxy.ts'
import { type } from './support/typing.ts'

const server = await sharedServer()
const port = Number(new URL(server.base).port)

// nobody listens there: only the proxy leads to the server
const elsewhere = `http://127.0.0.2:${port}`

/** A front of the server that speaks TLS as receiver.example. */
async function openTls(t: TestContext): Promise<number> {
  const front = createServer(certificate, ({ method, url, headers }, response) => {
    request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    }).end()
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  afterwards(t, async () => {
    front.closeAllConnections()
    front.close()
  })
  return (front.address() as AddressInfo).port
}

/** Runs the program in a process of its own: Node reads NODE_EXTRA_CA_CERTS as it starts. */
const runProgram = (words: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number | string; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })

test('https uses the proxy of the environment, and an untrusted certificate is explained', async (t) => {
  const { owner } = await server.newWorld()
  const tlsPort = await openTls(t)
  const { asked, url } = await openForwardProxy(t, tlsPort)
  const ca = join(await mkdtemp(join(tmpdir(), 'tw-')), 'ca.pem')
  await writeFile(ca, certificate.cert)
  const env = {
    ...{ TASKWRIGHT_URL: `https://receiver.example:${tlsPort}`, TASKWRIGHT_API_KEY: owner.key },
    ...{ HTTPS_PROXY: url, HOME: tmpdir() },
  }
  const trusted = await runProgram(['whoami', '--json'], { ...env, NODE_EXTRA_CA_CERTS: ca })
  assert.equal(trusted.err, '')
  assert.equal(JSON.parse(trusted.out).member.id, owner.memberId)
  assert.deepEqual(asked, [`CONNECT receiver.example:${tlsPort}`])
  const untrusted = await runProgram(['whoami'], env)
  assert.equal(untrusted.code, 3)
  assert.match(
    untrusted.err,
    /^No response from https:\/\/receiver\.example:\d+: self-signed certificate\n.*set NODE_EXTRA_CA_CERTS to the file of its certificate\.$/m,
  )
  const direct = await runProgram(['whoami'], {
    ...env,
    TASKWRIGHT_URL: `https://127.0.0.1:${tlsPort}`,
    HTTPS_PROXY: '',
  })
  assert.match(direct.err, /NODE_EXTRA_CA_CERTS/)
  const noTls = await runProgram(['whoami'], { ...env, TASKWRIGHT_URL: `https://127.0.0.1:${port}`, HTTPS_PROXY: '' })
  assert.match(noTls.err, /does not use TLS\. Should the URL start with http:\/\/\?/)
})

test('http uses the proxy too, but not for a host in NO_PROXY or for this machine', async (t) => {
  const { owner } = await server.newWorld()
  const { asked, url } = await openForwardProxy(t, port)
  const whoami = async (env: Record<string, string>, base = elsewhere) => {
    asked.length = 0
    const { code, err } = await type('whoami', {
      env: { TASKWRIGHT_URL: base, TASKWRIGHT_API_KEY: owner.key, ...env },
    })
    return { code, err, asked: [...asked] }
  }
  const through = [`GET ${elsewhere}/api/v1/me`]
  for (const env of [{ HTTP_PROXY: url }, { http_proxy: url }, { ALL_PROXY: url }, { http_proxy: url.slice(7) }])
    assert.deepEqual(await whoami(env), { code: 0, err: '', asked: through })
  const excluded = await whoami({ HTTP_PROXY: url, NO_PROXY: 'example.com, 127.0.0.2' })
  assert.deepEqual([excluded.code, excluded.asked], [3, []])
  assert.deepEqual(await whoami({ HTTP_PROXY: url }, server.base), { code: 0, err: '', asked: [] })
  const dead = await whoami({ HTTP_PROXY: 'http://127.0.0.1:9' })
  assert.equal(dead.code, 3)
  assert.match(dead.err, /\nA proxy is set\. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY\.\n$/)
  const odd = await whoami({ HTTP_PROXY: 'ftp://ann:secret@127.0.0.1' })
  assert.equal(odd.code, 2)
  assert.match(odd.err, /^'ftp:\/\/…@127\.0\.0\.1' is not a proxy URL/)
})

test('tw mcp uses the proxy of the environment as well', async (t) => {
  const { owner } = await server.newWorld()
  const { asked, url } = await openForwardProxy(t, port)
  const env = { TASKWRIGHT_URL: elsewhere, TASKWRIGHT_API_KEY: owner.key, HTTP_PROXY: url }
  const { out } = await type('mcp', { env, input: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n' })
  assert.ok(JSON.parse(out).result.tools.length > 5)
  assert.deepEqual(asked, [`POST ${elsewhere}/mcp`])
})
