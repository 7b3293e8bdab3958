import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { newKey } from '../../server/src/for-tools.ts'
import type { Client } from './client.ts'
import { api, aTask, bulkOf, makeMany } from './making.ts'
import { masses } from './masses.ts'
import type { Attacker, Way } from './way.ts'

/** What one organization can do to others, as far as it was found. A way that the server bounds by now is just refused. */
export const ways: Record<string, Way> = {
  'texts of marks only': async ({ client }) => {
    const { id } = await client.make(`${api}/projects`, { name: 'Marks' })
    const body = { projectId: id, name: 'Marks', description: `a${'\u0300\u0316'.repeat(24_000)}` }
    const operations = Array.from({ length: 10 }, () => ({ method: 'POST', path: '/tasks', body }))
    return { atOnce: 4, act: () => client.send('POST', `${api}/bulk?dryRun=true`, { operations }) }
  },
  'texts that grow when folded': async ({ client }) => {
    const { id: projectId } = await client.make(`${api}/projects`, { name: 'Growing' })
    const body = { projectId, name: 'Growing', description: sentences }
    const operations = Array.from({ length: 6 }, () => ({ method: 'POST', path: '/tasks', body }))
    return { atOnce: 4, act: () => client.send('POST', `${api}/bulk?dryRun=true`, { operations }) }
  },
  'found texts': async ({ client }) => {
    const { id: projectId } = await client.make(`${api}/projects`, { name: 'Found' })
    const task = (n: number) => ({ projectId, name: `Task ${n}`, description: `${sentences} zz` })
    await makeMany(client, 50, (n) => ({ method: 'POST', path: '/tasks', body: task(n) }), 6)
    return { atOnce: 8, act: () => client.send('GET', `${api}/search?q=zz&limit=50`) }
  },
  'who does not read': async ({ client }) => {
    const { id: projectId } = await client.make(`${api}/projects`, { name: 'Not read' })
    // each of these is six characters of JSON
    const task = { projectId, name: 'Not read', description: '\u0001'.repeat(50_000) }
    await makeMany(client, 100, () => ({ method: 'POST', path: '/tasks', body: task }), 3)
    const head = `GET ${api}/tasks?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    return { atOnce: 8, act: () => unread(client.base, head.repeat(32), 10_000) }
  },
  'pages with thousands of subtasks': async ({ client }) => {
    const { id, projectId } = await aTask(client)
    const step = (n: number) => ({ method: 'POST', path: `/tasks/${id}/subtasks`, body: { name: `Step ${n}` } })
    await makeMany(client, 5_000, step)
    return {
      atOnce: 8,
      act: () => client.send('GET', `${api}/tasks?limit=100&include=subtasks&projectId=${projectId}`),
    }
  },
  // in the event loop, and beside it
  'pages that are compressed': (attacker) => compressing(attacker, 700),
  'long pages that are compressed': (attacker) => compressing(attacker, 4_000),
  'long histories': async ({ client }) => {
    const { id } = await aTask(client)
    for (let n = 0; n < 100; n++) {
      await client.send('PATCH', `${api}/tasks/${id}`, { description: `${n} ${'words '.repeat(8_000)}` })
    }
    return { atOnce: 8, act: () => client.send('GET', `${api}/tasks/${id}/history?limit=100`) }
  },
  'stages that flip in a dry run': (attacker) => flipping(attacker, '?dryRun=true'),
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
    await makeMany(client, 2_000, () => ({ method: 'POST', path: '/tags', body: { name: randomUUID() } }))
    return { atOnce: 16, act: () => client.send('GET', `${api}/tags?limit=100&offset=1900`) }
  },
  'writers that wait for one another': async ({ client }) => {
    const { body, stageId } = await aBoard(client)
    const tasks = await makeMany(client, 2_000, (n) => ({
      method: 'POST',
      path: '/tasks',
      body: { ...body, name: `Task ${n}` },
    }))
    // the first are undone in the end, as they change too much
    const flips = [60, 4].map((count) => flipsOf(stageId, count))
    let turn = 0
    let isFlipping = false
    const act = async () => {
      if (isFlipping) return client.send('PATCH', `${api}/tasks/${tasks[0]}`, { name: randomUUID() })
      isFlipping = true
      await client.send('POST', `${api}/bulk`, flips[turn++ % flips.length]).finally(() => {
        isFlipping = false
      })
    }
    return { atOnce: 12, act }
  },
  ...masses,
}

// each of these is a sentence, and eighteen times as long once it is folded
const sentences = '\ufdfa'.repeat(49_900)

/** @param length of the description of each of a hundred tasks */
async function compressing({ client }: Attacker, length: number) {
  const { id: projectId } = await client.make(`${api}/projects`, { name: 'Compressed' })
  const words = () => Array.from({ length: length / 6 }, () => randomUUID().slice(0, 5)).join(' ')
  const task = (n: number) => ({ projectId, name: `Task ${n}`, description: words() })
  await makeMany(client, 100, (n) => ({ method: 'POST', path: '/tasks', body: task(n) }))
  const headers = { 'accept-encoding': 'identity' }
  return { atOnce: 16, act: () => client.send('GET', `${api}/tasks?limit=100`, undefined, headers) }
}

async function flipping({ client }: Attacker, query: string) {
  const { body, stageId } = await aBoard(client)
  const long = { ...body, description: 'words '.repeat(8_000) }
  await makeMany(client, 300, (n) => ({ method: 'POST', path: '/tasks', body: { ...long, name: `Task ${n}` } }), 10)
  const flips = flipsOf(stageId, 100)
  return { atOnce: 12, act: () => client.send('POST', `${api}/bulk${query}`, flips) }
}

/** A board with one stage. @returns also how a task in it is made */
async function aBoard(client: Client) {
  const { id: projectId } = await client.make(`${api}/projects`, { name: 'Flips' })
  const { id: workspaceId } = await client.make(`${api}/workspaces`, { name: 'Board', projectId, stages: ['One'] })
  const { body } = await client.send('GET', `${api}/workspaces/${workspaceId}/stages`)
  const stageId: string = body.data[0].id
  return { stageId, body: { projectId, workspaceId, stageId } }
}

/** Whatever stands in a stage is done, and not done, and done … */
const flipsOf = (stageId: string, count: number) =>
  bulkOf(count, (n) => {
    const category = n % 2 === 0 ? 'done' : 'todo'
    return { method: 'PATCH', path: `/stages/${stageId}`, body: { category } }
  })

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

/** Sends bytes on a connection of its own and reads nothing, until it is closed or so long has passed. */
function unread(base: string, bytes: string, ms: number): Promise<void> {
  const { port, hostname } = new URL(base)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname).pause()
    const late = setTimeout(() => socket.destroy(), ms)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve()
    })
    socket.write(bytes)
  })
}
