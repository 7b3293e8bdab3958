import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { residentMb } from '../processor.ts'
import { figureRow, type Row } from '../rows.ts'
import type { Subject } from '../subjects/subject.ts'
import { founded } from './client.ts'
import { type Kind, type Met, percentile, settled, works } from './ordinary.ts'
import { ways } from './ways.ts'

interface Noisy {
  taskwright: Subject
  operatorToken: string
  /** of each way */
  seconds: number
  /** of all ways together */
  minutes: number
  /** a part of the names of the rows that are wanted */
  ways: string
  /** wide limits, for a machine that does other things too */
  quick: boolean
  say(sentence: string): void
}

const attacker = new URL('attacker.ts', import.meta.url)
const restMs = 3_000
const longestQuietSeconds = 60

/**
 * What an ordinary organization meets while another one does its worst, by each way that was found, and by all of them at
 * once: how many times its own quiet p99.
 */
export async function noisy(bench: Noisy): Promise<Row[]> {
  const { taskwright, operatorToken, quick, say } = bench
  const wanted = rowsOf(bench)
  const { base, pid } = taskwright
  const { client, orgId } = await founded(base, operatorToken, 'Ordinary')
  const work = await settled(client)
  await works(client, work, 3)
  const rows: Row[] = []
  const measure = async (what: string, names: readonly string[], forSeconds: number) => {
    say(`${what}, for ${Math.round(forSeconds)} s, and as long before it without`)
    // each time: what else the machine does changes from minute to minute
    const quiet = await works(client, work, Math.min(forSeconds, longestQuietSeconds))
    const keys: Record<string, string> = {}
    for (const name of names) keys[name] = (await founded(base, operatorToken, 'Noisy')).client.key
    const variables = { NOISY_BASE: base, NOISY_KEYS: JSON.stringify(keys), NOISY_VICTIM: orgId }
    const memory = watched(pid)
    const met = await withAttacker(variables, () => works(client, work, forSeconds))
    rows.push(rowOf(what, { met, peakMb: memory.stop() }, quiet, quick))
    await wait(restMs)
  }
  for (const { what, names, forSeconds } of wanted) await measure(what, names, forSeconds)
  return rows
}

/** @throws Error when none is named so */
function rowsOf({ seconds, minutes, ways: part }: Noisy) {
  const names = Object.keys(ways)
  const rows = [
    { what: 'nobody', names: [], forSeconds: seconds },
    ...names.map((name) => ({ what: name, names: [name], forSeconds: seconds })),
    { what: 'all of these', names, forSeconds: minutes * 60 },
  ]
  const wanted = rows.filter(({ what }) => what.includes(part))
  if (wanted.length === 0)
    throw new Error(`No way has "${part}" in its name: ${rows.map(({ what }) => what).join(', ')}`)
  return wanted
}

async function withAttacker<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const child = fork(attacker, { env: { ...process.env, ...variables }, execArgv: ['--import', 'tsx'] })
  try {
    await prepared(child)
    child.send('go')
    await wait(1_000)
    return await work()
  } finally {
    child.kill('SIGKILL')
  }
}

async function prepared(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The attacker ended with status ${code}`)),
  )
  ended.catch(() => {})
  await Promise.race([once(child, 'message'), ended])
}

function watched(pid: number | undefined) {
  let peakMb = residentMb(pid)
  const timer = setInterval(() => {
    const nowMb = residentMb(pid)
    if (nowMb !== undefined) peakMb = Math.max(peakMb ?? 0, nowMb)
  }, 100)
  return {
    stop() {
      clearInterval(timer)
      return peakMb
    },
  }
}

function rowOf(
  name: string,
  { met, peakMb }: { met: Met; peakMb: number | undefined },
  quiet: Met,
  quick: boolean,
): Row {
  const kinds = Object.keys(met.timesMs) as Kind[]
  const ratio = (part: number) => (kind: Kind) =>
    percentile(met.timesMs[kind], part) / percentile(quiet.timesMs[kind], part)
  const [median, slow] = [kinds.map(ratio(0.5)), kinds.map(ratio(0.99))]
  const shown = (ratios: readonly number[]) => ratios.map((one) => one.toFixed(1)).join(' · ')
  const worst = Math.max(...slow)
  const row = figureRow(`beside ${name}, p99`, worst, '', { most: 3 })
  const isFar = worst > 30 || met.failed > 0 || (peakMb ?? 0) > 800
  return {
    ...row,
    range: `p50 ${shown(median)}, p99 ${shown(slow)}`,
    met: row.met === true && met.refused + met.failed === 0 && met.longestHealthzMs < 100 && (peakMb ?? 0) < 400,
    broken: quick && isFar,
    figures: [
      `${met.refused} × 503`,
      ...(met.failed > 0 ? [`${met.failed} failed`] : []),
      `/healthz ≤ ${met.longestHealthzMs.toFixed(0)} ms`,
      `${peakMb?.toFixed(0) ?? '?'} MB`,
    ].join(', '),
  }
}
