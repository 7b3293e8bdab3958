import { Socket } from 'node:net'
import pg from 'pg'
import { plainClient } from './session.ts'
import { seenOff } from './socket.ts'

/**
 * Calls back on every NOTIFY on the channel, and with undefined when some may have been missed: at first, and whenever
 * the connection broke. @returns how to end it
 */
export async function listening(
  connection: pg.ClientConfig,
  channel: string,
  heard: (payload: string | undefined) => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let socket = new Socket()
  const connect = async () => {
    const stream = () => (socket = new Socket())
    client = plainClient({ ...connection, stream, keepAlive: true }, 'taskwright-listen')
    client.on('end', () => {
      heard(undefined)
      setTimeout(() => void (stopped || connect().catch(() => {})), 1_000).unref()
    })
    client.on('notification', ({ payload }) => heard(payload))
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    heard(undefined)
  }
  await connect()
  return async () => {
    stopped = true
    if (client) await seenOff(client.end(), [socket])
  }
}
