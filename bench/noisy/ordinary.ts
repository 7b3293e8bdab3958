import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, clientOf } from './client.ts'

/** What an ordinary organization met for a while. */
export interface Met {
  /** by kind of request, as they came */
  timesMs: Record<Kind, number[]>
  refused: number
  failed: number
  longestHealthzMs: number
  /** until the same is answered on a connection that is opened for it */
  longestNewMs: number
}

export type Kind = 'GET /tasks' | 'GET one' | 'keyed POST'

/** The project and the tasks that an ordinary organization works with. */
export async function settled({ make }: Client): Promise<{ projectId: string; taskIds: string[] }> {
  const { id: projectId } = await make('/api/v1/projects', { name: 'Ordinary work' })
  const taskIds: string[] = []
  for (let n = 0; n < 200; n++) taskIds.push((await make('/api/v1/tasks', { projectId, name: `Task ${n}` })).id)
  return { projectId, taskIds }
}

/** What who has not begun has met. */
export const nothingMet = (): Met => ({
  timesMs: { 'GET /tasks': [], 'GET one': [], 'keyed POST': [] },
  ...{ refused: 0, failed: 0, longestHealthzMs: 0, longestNewMs: 0 },
})

/**
 * Works for so long as people do: one request after the other, two at a time of each kind.
 * @param met grows meanwhile
 * @param signal ends it earlier
 */
export async function works(
  client: Client,
  work: Awaited<ReturnType<typeof settled>>,
  seconds: number,
  met = nothingMet(),
  signal?: AbortSignal,
): Promise<Met> {
  const { timesMs } = met
  const endMs = performance.now() + seconds * 1_000
  const repeat = async (pauseMs: number, act: () => Promise<unknown>) => {
    while (performance.now() < endMs && !signal?.aborted) {
      await act()
      await wait(pauseMs)
    }
  }
  const timed = async (kind: Kind, send: () => ReturnType<Client['send']>) => {
    const begunMs = performance.now()
    const status = await send().then(
      (reply) => reply.status,
      () => 0,
    )
    timesMs[kind].push(performance.now() - begunMs)
    if (status === 503) met.refused++
    else if (status < 200 || status >= 300) met.failed++
  }
  const one = () => work.taskIds[Math.floor(Math.random() * work.taskIds.length)]
  const entry = () => ({
    taskId: one(),
    startedAt: new Date(Date.now() - 3_600_000).toISOString(),
    durationSeconds: 60,
  })
  const keyed = () => ({ 'idempotency-key': randomUUID() })
  const acts = [
    () => timed('GET /tasks', () => client.send('GET', '/api/v1/tasks?limit=50')),
    () => timed('GET one', () => client.send('GET', `/api/v1/tasks/${one()}`)),
    () => timed('keyed POST', () => client.send('POST', '/api/v1/time-entries', entry(), keyed())),
  ]
  const longest = (which: 'longestHealthzMs' | 'longestNewMs', send: () => Promise<unknown>) => async () => {
    const begunMs = performance.now()
    await send().catch(() => {})
    met[which] = Math.max(met[which], performance.now() - begunMs)
  }
  const health = longest('longestHealthzMs', () => client.send('GET', '/healthz'))
  // it may wait for longer than all of this lasts
  const over = wait(seconds * 1_000, undefined, { signal }).catch(() => {})
  const newcomer = longest('longestNewMs', () => Promise.race([arriving(client).send('GET', '/healthz'), over]))
  await Promise.all([
    repeat(20, health),
    repeat(200, newcomer),
    ...acts.flatMap((act) => [repeat(10, act), repeat(10, act)]),
  ])
  return met
}

const arriving = ({ base, key }: Client) => clientOf(base, key, false)

/** Of some times the one that so large a part of them is below. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
