import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { untilTaken } from './until.ts'
import { type Api, apiOf, type Reply } from './world.ts'

interface Write {
  path: string
  body: object
  key: string
}

/** A write that was answered with 201, and what it was answered. */
export interface Acknowledged extends Write {
  text: string
}

/**
 * Clients that record tasks and time as fast as they can, each request under a key of its own. Whatever gets no answer,
 * or 503, is sent again with the same key, to the server that runs then.
 * @param name what their keys, and the names of what they write, begin with
 */
export function writers(
  count: number,
  credential: string,
  { projectId, taskId }: Record<'projectId' | 'taskId', string>,
  name = 'client',
) {
  const acknowledged: Acknowledged[] = []
  const progress = new EventEmitter().setMaxListeners(0)
  let server: Promise<string> = Promise.resolve('')
  let stopped = false
  let abandoned = false
  let unanswered = 0
  let replayed = 0

  const running = (base: Promise<string>) => {
    server = base
    if (!started) started = Promise.all(Array.from({ length: count }, (_, client) => work(client)))
  }
  let started: Promise<unknown> | undefined

  async function work(client: number): Promise<void> {
    for (let n = 0; !stopped; n++) {
      const key = `${name} ${client} request ${n}`.replaceAll(' ', '-')
      const write =
        n % 2 === 0
          ? { path: '/tasks', body: { projectId, name: key }, key }
          : { path: '/time-entries', body: { taskId, durationSeconds: n, description: key }, key }
      const { status, text, headers } = await untilAnswered(write)
      assert.equal(status, 201, text)
      if (headers.get('idempotent-replayed')) replayed++
      acknowledged.push({ ...write, text })
      progress.emit('acknowledged')
    }
  }

  async function untilAnswered(write: Write): Promise<Reply> {
    for (;;) {
      const api = apiOf(`${await server}/api/v1`, credential)
      const reply = await send(api, write).catch(() => undefined)
      if (reply !== undefined && reply.status !== 503) return reply
      if (abandoned) throw new Error('Abandoned')
      unanswered++
      // as Retry-After asks for, only more impatient
      await wait(20)
    }
  }

  return {
    /** where requests go from now on */
    running,
    /** once so many more writes were acknowledged */
    async more(writes: number): Promise<void> {
      const goal = acknowledged.length + writes
      while (acknowledged.length < goal) await Promise.race([once(progress, 'acknowledged'), started])
    },
    /** stops, whatever is unanswered */
    async abandon(): Promise<void> {
      stopped = true
      abandoned = true
      await started?.catch(() => {})
    },
    /** stops once all is answered */
    async finish() {
      stopped = true
      await started
      return { acknowledged, unanswered, replayed }
    },
  }
}

const send = (api: Api, { path, body, key }: Write) => api.post(path, body, { 'idempotency-key': key })

/** Every acknowledged write is there exactly once, nothing else is, and every retry replays the answer byte for byte. */
export async function assertExactlyOnce(api: Api, acknowledged: Acknowledged[], before: string[]): Promise<void> {
  const rows = await Promise.all(['/tasks', '/time-entries'].map((path) => all(api, path)))
  const stored = rows.flat().map((row) => JSON.stringify(row))
  assert.deepEqual(stored.sort(), [...before, ...acknowledged.map(({ text }) => text)].sort())
  const tasks = rows[0] ?? []
  assert.deepEqual(
    tasks.map(({ number }) => number).sort((a, b) => a - b),
    tasks.map((_, i) => i + 1),
  )
  await assertReplayed(api, acknowledged)
}

/** Every retry replays the answer byte for byte. */
export async function assertReplayed(api: Api, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (let i = 0; i < acknowledged.length; i += 20) {
    await Promise.all(
      acknowledged.slice(i, i + 20).map(async (write) => {
        const retry = await untilTaken(() => send(api, write))
        assert.equal(retry.headers.get('idempotent-replayed'), 'true')
        assert.deepEqual([retry.status, retry.text], [201, write.text])
      }),
    )
  }
}

interface Row {
  id: string
  number: number
}

/** All rows of a cursor list. */
export async function all(api: Api, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { body } = await untilTaken(() => api.get(`${path}?limit=100${cursor}`))
    rows.push(...body.data)
    if (body.pagination.nextCursor === null) return rows
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}
