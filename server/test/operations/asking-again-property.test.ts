import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Random, randomFrom } from '../../src/commands/demo/random.ts'
import { detachAll } from '../../src/jobs/detaching.ts'
import { purge } from '../../src/jobs/purge.ts'
import { deleteOldEvents } from '../../src/jobs/retention.ts'
import { Mirror } from '../support/mirror.ts'
import { randomWrites } from '../support/random-writes.ts'
import { rounds } from '../support/rounds.ts'
import { ranOnce } from '../support/running.ts'
import { untilTaken } from '../support/until.ts'
import { type Api, migratedDatabase, startServer, type World } from '../support/world.ts'

// of its own, because the jobs look at all organizations; two servers, and one by which they are judged
const { url, drop } = await migratedDatabase()
const servers = [await startServer({ url }), await startServer({ url })] as const
const judge = await startServer({ url })
const [{ db, newWorld }] = servers
after(drop)

const steps = Number(process.env.ASKING_ROUNDS ?? rounds(8, 60))
const seed = Number(process.env.ASKING_SEED ?? 1)

/** What is asked for, of what is there. */
function questions(mirror: Mirror, random: Random): string[] {
  const some = (noun: string) => mirror.shown(noun).map(({ id }) => id as string)
  const one = (noun: string) => (some(noun).length > 0 ? random.pick(some(noun)) : undefined)
  const [task, project, workspace] = [one('task'), one('project'), one('workspace')]
  return [
    ...['/members?include=projects', '/projects?include=members', '/projects?include=progress', '/task-types', '/tags'],
    ...[
      '/workspaces',
      '/webhooks',
      '/events?limit=5',
      '/events?after=3&limit=2',
      '/events/head',
      '/timer?include=task',
    ],
    ...[
      '/search?q=w1',
      '/search?q=w2*%20or%20w3*',
      '/tasks',
      '/tasks?limit=2',
      '/tasks?sort=-updatedAt&limit=3',
      '/tasks?fields=id,name',
      '/tasks?q=w1',
    ],
    ...['/tasks?fields=id&q=nothing', '/tasks?include=subtasks,comments,assignees', '/tasks?include=trackedSeconds'],
    ...['/subtasks?sort=-updatedAt', '/comments?include=author', '/time-entries', '/time-entries?include=task,tags'],
    ...['/reports/time?groupBy=member,tag', '/reports/tasks?groupBy=stage,assignee', '/tasks?assigneeId=me'],
    ...(task ? ['subtasks', 'comments', 'history'].map((list) => `/tasks/${task}/${list}`) : []),
    ...(project ? [`/projects/${project}/members`, `/tasks?projectId=${project}&sort=priority`] : []),
    ...(workspace ? [`/workspaces/${workspace}/stages?include=taskCount`, `/workspaces/${workspace}/board`] : []),
  ]
}

/** What somebody was answered to a question. */
interface Answered {
  status: number
  etag: string | null
  text: string
}

function refuseDifference(had: Answered, fresh: Answered, what: string): void {
  assert.deepEqual([had.status, had.etag], [fresh.status, fresh.etag], what)
  assert.ok(had.text === fresh.text, `${what}: ${had.text.slice(0, 300)} instead of ${fresh.text.slice(0, 300)}`)
}

/** A member with its key, who asks either server and remembers the answers. */
class Reader {
  readonly #apis: readonly Api[]
  readonly known = new Map<string, Answered>()

  constructor({ key, memberId }: Api) {
    this.#apis = [...servers, judge].map(({ api }) => api(key, memberId))
  }

  async ask(path: string, headers: Record<string, string> = {}, server: number = servers.length): Promise<Answered> {
    const api = this.#apis[server] ?? assert.fail()
    const { status, headers: answered, text } = await untilTaken(() => api.get(path, headers))
    return { status, etag: answered.get('etag'), text }
  }

  /** Asks again as a client does: what is 304 is what it has. */
  async askAgain(path: string, server: number): Promise<{ unchanged: boolean; now: Answered }> {
    const had = this.known.get(path)
    const reply = await this.ask(path, had?.etag ? { 'if-none-match': had.etag } : {}, server)
    const unchanged = reply.status === 304
    const now = unchanged ? (had ?? assert.fail()) : reply
    assert.ok(!unchanged || reply.etag === had?.etag)
    this.known.set(path, now)
    return { unchanged, now }
  }
}

/** A world in which a plain member sees some projects, and what is in it as its events tell. */
async function ground() {
  const world = await newWorld()
  const { owner, member, project, addToProject } = world
  for (const role of ['lead', 'contributor', 'viewer']) await addToProject((await project()).id, member, role)
  const mirror = new Mirror()
  const follow = async () => {
    for (let more = true; more; ) {
      const { status, body, text } = await owner.get(`/events?limit=100&after=${mirror.position}`)
      assert.equal(status, 200, text)
      for (const event of body.data) mirror.take(event)
      more = body.pagination.nextCursor !== null
    }
  }
  return { world, mirror, follow }
}

async function writesOf({ owner, admin, member }: World, mirror: Mirror, random: Random) {
  const spared: string[] = []
  for (const api of [owner, admin, member]) spared.push(api.memberId, (await api.get('/me')).body.apiKey.id)
  const writes = randomWrites(random, mirror, spared)
  return async () => {
    const { method, path, body } = writes.next().value
    const { key } = random.pick([owner, owner, owner, admin, member])
    const { status, text } = await untilTaken(() => random.pick(servers).api(key).call(method, path, body))
    assert.ok(status < 500, `${method} ${path}: ${text}`)
    return `${method} ${path}: ${status}`
  }
}

// events are kept for as long as the test runs at first, and then not at all
const jobs: Record<string, () => Promise<Map<string, unknown>>> = {
  detaching: () => ranOnce(db, (run) => detachAll(run, 2)),
  purge: () => ranOnce(db, (run) => purge(run), new Date(Date.now() + 31 * 86_400_000)),
  retention: () => ranOnce(db, (run) => deleteOldEvents(run, 0)),
}

test('304 means that the response would be the same, byte for byte, after any write by any caller, server or job', async (t) => {
  const random = randomFrom(seed)
  const { world, mirror, follow } = await ground()
  const write = await writesOf(world, mirror, random)
  const readers = [world.owner, world.admin, world.member].map((api) => new Reader(api))
  const counted = { unchanged: 0, changed: 0 }
  for (let round = 0; round < steps; round++) {
    await follow()
    const done: string[] = []
    if (random.chance(0.7)) done.push(await write())
    if (random.chance(0.15)) {
      await follow()
      const [name, run] = random.pick(Object.entries(jobs))
      assert.deepEqual([...(await run())], [])
      done.push(name)
    }
    const asked = questions(mirror, random)
    for (const reader of readers) {
      const known = [...reader.known.keys()]
      const some = Array.from({ length: 6 }, () => random.pick(random.chance(0.3) && known.length > 0 ? known : asked))
      // what jobs do happens seldom
      for (const path of done.some((name) => name in jobs) ? known.slice(-30) : some) {
        const { unchanged, now } = await reader.askAgain(path, random.between(0, 1))
        const fresh = await reader.ask(path)
        if (unchanged) counted.unchanged++
        else counted.changed++
        // what runs may have gone on between the two
        if (changesByTime(path)) continue
        refuseDifference(now, fresh, `${path} after ${done}`)
        // nothing was written since: it is known now
        if (unchanged || now.status !== 200) continue
        assert.ok((await reader.askAgain(path, random.between(0, 1))).unchanged, path)
      }
    }
  }
  t.diagnostic(JSON.stringify(counted))
  assert.ok(counted.unchanged > steps / 3 && counted.changed > steps, JSON.stringify(counted))
})

const changesByTime = (path: string) => /reports|progress|trackedSeconds/.test(path)

test('no client that asks during writes is left with an outdated response: an ETag is never newer than its page', async (t) => {
  const random = randomFrom(seed)
  const { world, mirror, follow } = await ground()
  const write = await writesOf(world, mirror, random)
  const readers = [world.owner, world.member].map((api) => new Reader(api))
  let unchanged = 0
  for (let round = 0; round < steps / 2; round++) {
    await follow()
    const asked = questions(mirror, random)
    const writing = { on: true }
    const writes = Promise.all([write(), write(), write()]).finally(() => {
      writing.on = false
    })
    const path = random.pick(asked)
    const asking = readers.flatMap((reader) =>
      [0, 1].map(async (server) => {
        while (writing.on) await reader.askAgain(path, server)
      }),
    )
    await Promise.all([writes, ...asking])
    // whoever asks now asks after all of it was answered
    for (const reader of readers) {
      const had = await reader.askAgain(path, random.between(0, 1))
      const fresh = await reader.ask(path)
      if (!changesByTime(path)) refuseDifference(had.now, fresh, path)
      unchanged += Number(had.unchanged)
    }
  }
  t.diagnostic(`${unchanged} unchanged`)
  assert.ok(unchanged > steps / 4, `${unchanged}`)
})
