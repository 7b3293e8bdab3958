import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey } from '../../server/src/http/keys.ts'
import type { Client } from './client.ts'

/** Who does its worst, and to whom. */
export interface Attacker {
  client: Client
  /** the organization beside it */
  victimId: string
}

/** Prepares a way to harm others. @returns what is done again and again, by so many at a time */
type Way = (attacker: Attacker) => Promise<{ atOnce: number; act: () => Promise<unknown> }>

const api = '/api/v1'

/** What one organization can do to others, as far as it was found. A way that the server bounds by now is just refused. */
export const ways: Record<string, Way> = {
  'texts of marks only': async ({ client }) => {
    const { id } = await client.make(`${api}/projects`, { name: 'Marks' })
    const body = { projectId: id, name: 'Marks', description: `a${'\u0300\u0316'.repeat(24_000)}` }
    const operations = Array.from({ length: 10 }, () => ({ method: 'POST', path: '/tasks', body }))
    return { atOnce: 4, act: () => client.send('POST', `${api}/bulk?dryRun=true`, { operations }) }
  },
  'pages with thousands of subtasks': async ({ client }) => {
    const task = await aTask(client)
    for (let n = 0; n < 50; n++) {
      const made = bulkOf(100, (m) => ({
        method: 'POST',
        path: `/tasks/${task.id}/subtasks`,
        body: { name: `Step ${n} ${m}` },
      }))
      if ((await client.send('POST', `${api}/bulk`, made)).status >= 400) break
    }
    return { atOnce: 8, act: () => client.send('GET', `${api}/tasks?limit=100&include=subtasks`) }
  },
  'long histories': async ({ client }) => {
    const { id } = await aTask(client)
    for (let n = 0; n < 100; n++) {
      await client.send('PATCH', `${api}/tasks/${id}`, { description: `${n} ${'words '.repeat(8_000)}` })
    }
    return { atOnce: 8, act: () => client.send('GET', `${api}/tasks/${id}/history?limit=100`) }
  },
  'stages that flip, rehearsed': (attacker) => flipping(attacker, '?dryRun=true'),
  'stages that flip': (attacker) => flipping(attacker, ''),
  'a thousand requests on one connection': async ({ client }) => {
    const head = `GET ${api}/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    return { atOnce: 4, act: () => rawly(client.base, head.repeat(1_000), 1_000) }
  },
  'many connections': async ({ client }) => {
    return { atOnce: 500, act: () => rawly(client.base, 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n', 5_000) }
  },
  'bodies that trickle in': async ({ client }) => {
    const head = [
      `POST ${api}/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}`,
      'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"operations":[',
    ].join('\r\n')
    return { atOnce: 200, act: () => rawly(client.base, head + ' '.repeat(10_000), 5_000) }
  },
  'reports from 1970 to 2099': async ({ client }) => {
    const { id: taskId } = await aTask(client)
    for (const startedAt of ['1970-01-01T00:00:00Z', '2099-12-30T00:00:00Z']) {
      await client.send('POST', `${api}/time-entries`, { taskId, startedAt, durationSeconds: 60 })
    }
    const path = `${api}/reports/time?groupBy=day,tag`
    return { atOnce: 8, act: () => client.send('GET', path) }
  },
  'tags that many bear, deleted': async ({ client }) => {
    const tasks = await someTasks(client, 300)
    const act = async () => {
      const tag = await client.make(`${api}/tags`, { name: randomUUID() })
      for (let from = 0; from < tasks.length; from += 100) {
        const borne = tasks.slice(from, from + 100)
        const body = { tagIds: [tag.id] }
        const edits = bulkOf(borne.length, (n) => ({ method: 'PATCH', path: `/tasks/${borne[n]}`, body }))
        await client.send('POST', `${api}/bulk`, edits)
      }
      return client.send('DELETE', `${api}/tags/${tag.id}`)
    }
    return { atOnce: 2, act }
  },
  'keys that open nothing': async ({ client, victimId }) => ({
    atOnce: 64,
    act: () => client.send('GET', `${api}/me`, undefined, { authorization: `Bearer ${newKey(victimId).secret}` }),
  }),
  'twins of one request': async ({ client }) => {
    const { id: projectId } = await client.make(`${api}/projects`, { name: 'Twins' })
    const act = async () => {
      const headers = { 'idempotency-key': `twin-${Math.floor(Date.now() / 100)}` }
      await client.send('POST', `${api}/tasks`, { projectId, name: 'A twin' }, headers)
    }
    return { atOnce: 100, act }
  },
  'pages from far behind': async ({ client }) => {
    for (let n = 0; n < 20; n++) {
      const tags = bulkOf(100, () => ({ method: 'POST', path: '/tags', body: { name: randomUUID() } }))
      await client.send('POST', `${api}/bulk`, tags)
    }
    return { atOnce: 16, act: () => client.send('GET', `${api}/tags?limit=100&offset=1900`) }
  },
}

/** Does it until it is told to stop. @returns how often it was done, and how often it failed */
export async function harm(way: Awaited<ReturnType<Way>>, signal: AbortSignal): Promise<void> {
  const one = async () => {
    while (!signal.aborted) await way.act().catch(() => wait(50))
  }
  await Promise.all(Array.from({ length: way.atOnce }, one))
}

async function flipping({ client }: Attacker, query: string) {
  const { id: projectId } = await client.make(`${api}/projects`, { name: 'Flips' })
  const board = await client.make(`${api}/workspaces`, { name: 'Board', projectId, stages: ['One'] })
  const { body } = await client.send('GET', `${api}/workspaces/${board.id}/stages`)
  const stageId: string = body.data[0].id
  const long = { projectId, workspaceId: board.id, stageId, description: 'words '.repeat(8_000) }
  for (let n = 0; n < 30; n++) {
    const tasks = bulkOf(10, (m) => ({ method: 'POST', path: '/tasks', body: { ...long, name: `Task ${n} ${m}` } }))
    if ((await client.send('POST', `${api}/bulk`, tasks)).status >= 400) break
  }
  const flips = bulkOf(100, (n) => {
    const category = n % 2 === 0 ? 'done' : 'todo'
    return { method: 'PATCH', path: `/stages/${stageId}`, body: { category } }
  })
  return { atOnce: 12, act: () => client.send('POST', `${api}/bulk${query}`, flips) }
}

const bulkOf = (count: number, operation: (n: number) => object) => ({
  operations: Array.from({ length: count }, (_, n) => operation(n)),
})

async function aTask(client: Client): Promise<{ id: string }> {
  const { id: projectId } = await client.make(`${api}/projects`, { name: 'A project' })
  return client.make(`${api}/tasks`, { projectId, name: 'A task' })
}

async function someTasks(client: Client, count: number): Promise<string[]> {
  const { id: projectId } = await client.make(`${api}/projects`, { name: 'Many tasks' })
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await client.make(`${api}/tasks`, { projectId, name: `Task ${n}` })).id)
  return ids
}

/** Sends bytes on a connection of its own and waits for so many answers, or until nothing comes for five seconds. */
function rawly(base: string, bytes: string, answers: number): Promise<void> {
  const { port, hostname } = new URL(base)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let left = answers
    socket.on('data', (chunk) => {
      left -= String(chunk).split('HTTP/1.1 ').length - 1
      if (left <= 0) socket.destroy()
    })
    socket.setTimeout(5_000, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(bytes)
  })
}
