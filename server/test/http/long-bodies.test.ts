import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { inPieces } from '../../src/http/server.ts'
import { startServer } from '../support/world.ts'

const { base, newWorld } = await startServer()

test('a page of long texts arrives complete, with its length, in any script', async () => {
  const { owner, project, task } = await newWorld()
  for (const written of ['words', 'слова', '漢字', '🦊🦉', 'a\u0301🏳️‍🌈']) {
    const { id: projectId } = await project()
    const description = `x${written.repeat(16_000 / written.length)}`
    await Promise.all(Array.from({ length: 10 }, () => task({ projectId, description })))
    const headers = { authorization: `Bearer ${owner.key}`, 'accept-encoding': 'identity' }
    const list = `${base}/api/v1/tasks?projectId=${projectId}`
    const response = await fetch(list, { headers })
    const body = Buffer.from(await response.arrayBuffer())
    assert.equal(response.headers.get('content-length'), String(body.length))
    const page: { data: { description: string }[] } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    assert.equal(page.data.length, 10)
    assert.ok(
      page.data.every((task) => task.description === description),
      written,
    )
    const head = await fetch(list, { method: 'HEAD', headers })
    assert.equal(head.headers.get('content-length'), String(body.length))
    assert.equal(await head.text(), '')
  }
})

test('a long body is written in pieces, one in each turn of the event loop, so other requests come in between', async () => {
  const body = '🦊x'.repeat(400_000)
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const { bytes, stream } = await inPieces(body)
  const turnsToEncode = turns
  const written = await text(stream)
  clearImmediate(next)
  assert.equal(bytes, Buffer.byteLength(body))
  assert.ok(written === body)
  // 1.2 million units, at most 65,537 in a piece
  assert.ok(turnsToEncode >= 18, `${turnsToEncode} turns`)
  assert.ok(turns - turnsToEncode >= 18, `${turns - turnsToEncode} turns`)
})
