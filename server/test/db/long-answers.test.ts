import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { readInChunks } from '../../src/db/pool/socket.ts'
import { afterwards } from '../support/afterwards.ts'

test('a long response is parsed in small parts, one in each turn of the event loop, until all of it is read', async (t) => {
  const long = 8_000_000
  const database = createServer((client) => client.end(Buffer.alloc(long)))
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  afterwards(t, async () => void database.close())
  const read = async (bounded: boolean) => {
    const client = connect((database.address() as AddressInfo).port, '127.0.0.1')
    await once(client, 'connect')
    // so much arrives as the kernel takes without anybody who reads
    await wait(100)
    let [inTurn, most, all, isOver] = [0, 0, 0, false]
    client.on('data', (part) => (inTurn += part.length))
    if (bounded) readInChunks(client)
    client.once('close', () => (isOver = true))
    while (!isOver) {
      await turn()
      most = Math.max(most, inTurn)
      all += inTurn
      inTurn = 0
    }
    return { most, all }
  }
  const { most, all } = await read(true)
  assert.equal(all, long)
  assert.ok(most <= 131_072, `${most} bytes in one turn`)
  // as it is without, or this would say nothing; once the machine may send little at a time, but hardly each time
  let unbounded = 0
  for (let n = 0; n < 5 && unbounded <= 500_000; n++) unbounded = (await read(false)).most
  assert.ok(unbounded > 500_000, `${unbounded} bytes in one turn without`)
})
