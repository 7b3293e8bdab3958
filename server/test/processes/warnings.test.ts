import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { onPlainPostgres } from '../support/citus.ts'
import { emptyDirectory } from '../support/slow/archives.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { apiOf, created } from '../support/world.ts'

const notOnCitus = onPlainPostgres('a cluster is not backed up by us')

test('a server that runs every job and many requests at once gets no Node warning', notOnCitus, async (t) => {
  const settings = { ...(await onMigratedDatabase(t)), BACKUP_EVERY: '1h', BACKUP_DIR: await emptyDirectory(t) }
  const server = await serving(t, { ...settings, NODE_OPTIONS: '--trace-warnings' })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  await Promise.all(Array.from({ length: 40 }, (_, n) => created(owner.post('/tags', { name: `Tag ${n}` }))))
  // of one connection
  const { answered } = await pipelined(server.port, server.ownersKey, 30)
  assert.equal(answered, 30)
  const lookedAt = async () => (await (await fetch(`${server.base}/metrics`)).text()).includes('{job="backup"}')
  while (!(await lookedAt()));
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(
    server.err.all.filter((line) => /Warning/.test(line)),
    [],
  )
})

/** Sends requests for a compressed list on one connection, all at once. */
async function pipelined(port: number, key: string, count: number) {
  const socket = connect(port, '127.0.0.1')
  const request = `GET /api/v1/tags?limit=40 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nAccept-Encoding: gzip\r\n\r\n`
  socket.write(request.repeat(count - 1) + request.replace('Host', 'Connection: close\r\nHost'))
  let text = ''
  for await (const piece of socket) text += piece.toString('latin1')
  return { answered: text.split('HTTP/1.1 200 OK').length - 1 }
}
