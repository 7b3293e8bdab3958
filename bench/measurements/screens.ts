import type { Sent } from '../generators/volley.ts'
import type { Caller } from '../load/data.ts'
import { boardOf, progressPage, weekOf, workOf } from '../requests.ts'
import { measured } from '../rounds.ts'
import { type Row, rates } from '../rows.ts'
import type { Bench } from './bench.ts'

interface Screen {
  requests: (caller: Caller) => readonly Sent[]
  /** of the floor's requests per second, at least; the floor reads all that is included by one statement */
  least: number
}

/** What screens show, of the big organization: beside the floor's plain statement, and a member beside the owner. */
export async function screens(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, screen] of Object.entries(await screensOf(bench)))
    rows.push(...(await besides(bench, what, screen)))
  return rows
}

async function screensOf({ subjects, data, quick }: Bench): Promise<Record<string, Screen>> {
  const { filters, callers } = data.big
  const { assigneeId, workspaceId } = filters
  const board: Screen = { requests: (caller) => boardOf(caller, workspaceId), least: 0.7 }
  if (quick) return { 'board, 50 tasks a stage': board }
  const headers = { Authorization: `Bearer ${callers.owner.key}` }
  const entries = `${subjects.taskwright.base}/api/v1/time-entries?memberId=${assigneeId}&limit=1`
  const { data: latest } = (await (await fetch(entries, { headers })).json()) as { data: { startedAt: string }[] }
  const endsAt = new Date(Date.parse(latest[0]?.startedAt ?? '') + 1).toISOString()
  return {
    'board, 50 tasks a stage': board,
    'work of one by due date': { requests: (caller) => workOf(caller, assigneeId), least: 0.5 },
    'week of one with names': { requests: (caller) => weekOf(caller, assigneeId, endsAt), least: 0.3 },
    'progress of 50 projects': { requests: progressPage, least: 0.7 },
  }
}

async function besides(bench: Bench, what: string, { requests, least }: Screen): Promise<Row[]> {
  const { subjects, data, quick } = bench
  const { taskwright, floor } = subjects
  const { owner, all } = data.big.callers
  const family = {
    taskwright: { subject: taskwright, requests: requests(owner) },
    floor: { subject: floor, requests: requests(owner) },
    ...(quick ? {} : { member: { subject: taskwright, requests: requests(all) } }),
  }
  const found = await measured(family, bench)
  const samples = found.taskwright
  const rows = [rates({ what: `${what}: taskwright / floor`, samples, against: found.floor, target: { least } })]
  if (found.member) {
    const target = { least: 0.5 }
    rows.push(rates({ what: `${what}: member of all 400 / owner`, samples: found.member, against: samples, target }))
  }
  return rows
}
