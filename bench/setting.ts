import { cpus } from 'node:os'
import { createCursors } from '../server/src/http/cursor.ts'
import { type Filled, query } from './database.ts'
import type { Bench } from './measurements/bench.ts'

/** One line that says what was measured on what. */
export async function settingOf({ subjects, data, generator, pace }: Bench): Promise<string> {
  const all = cpus()
  const headers = { authorization: `Bearer ${data.big.callers.owner.key}` }
  const page = await (await fetch(`${subjects.taskwright.base}/api/v1/tasks`, { headers })).arrayBuffer()
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${all.length} × ${all[0]?.model.trim()}`,
    `by ${generator.name}: ${pace.rounds} rounds of ${pace.seconds} s, 32 connections`,
    `${data.tasks.toLocaleString('en-US')} tasks, ${data.big.tasks.toLocaleString('en-US')} in the big organization`,
    `a page of 50 of its tasks: ${(page.byteLength / 1_000).toFixed(1)} kB`,
  ].join('; ')
}

/** The cursor of the page that begins at a depth of the big organization, as the server seals it. */
export async function cursorAt({ url, data }: Filled, depth: number): Promise<string> {
  const { orgId } = data.big
  const [instance] = await query(url, 'select secret from instance')
  const newest = 'select id from tasks where org_id = $1 and deleted_at is null order by id desc limit 1 offset $2'
  const [task] = await query(url, newest, [orgId, depth - 1])
  return createCursors(instance?.secret as Buffer).seal(orgId, 'tasks', { id: String(task?.id) })
}
