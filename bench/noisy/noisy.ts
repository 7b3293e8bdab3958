import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { residentMb } from '../processor.ts'
import { figureRow, type Row } from '../rows.ts'
import type { Subject } from '../subjects/subject.ts'
import { type Client, founded } from './client.ts'
import { type Kind, type Met, percentile, settled, works } from './ordinary.ts'
import { ways } from './ways.ts'

interface Noisy {
  taskwright: Subject
  operatorToken: string
  /** of each way */
  seconds: number
  /** of all ways together */
  minutes: number
  /** wide limits, for a machine that does other things too */
  quick: boolean
  say(sentence: string): void
}

const attacker = new URL('attacker.ts', import.meta.url)
const restMs = 3_000

/**
 * What an ordinary organization meets while another one does its worst, by each way that was found, and by all of them at
 * once: how many times its own quiet p99.
 */
export async function noisy(bench: Noisy): Promise<Row[]> {
  const { taskwright, operatorToken, seconds, minutes, quick, say } = bench
  const { base, pid } = taskwright
  const { client, orgId } = await founded(base, operatorToken, 'Ordinary')
  const work = await settled(client)
  await works(client, work, 3)
  say(`Quiet for ${seconds} s`)
  const quiet = await works(client, work, seconds)
  const beside = async (names: readonly string[], forSeconds: number) => {
    const keys: Record<string, string> = {}
    for (const name of names) keys[name] = (await founded(base, operatorToken, 'Noisy')).client.key
    return withAttacker({ NOISY_BASE: base, NOISY_KEYS: JSON.stringify(keys), NOISY_VICTIM: orgId }, async () => {
      const memory = watched(pid)
      const met = await works(client, work, forSeconds)
      return { met, peakMb: memory.stop() }
    })
  }
  const rows = [rowOf('nobody', { met: quiet, peakMb: residentMb(pid) }, quiet, quick)]
  for (const name of Object.keys(ways)) {
    say(`Beside ${name}, for ${seconds} s`)
    rows.push(rowOf(name, await beside([name], seconds), quiet, quick))
    await rested(client)
  }
  say(`Beside all of it at once, for ${minutes} min`)
  rows.push(rowOf(`all of it, for ${minutes} min`, await beside(Object.keys(ways), minutes * 60), quiet, quick))
  return rows
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

/** Until what the attack left behind is done. */
async function rested({ send }: Client): Promise<void> {
  await wait(restMs)
  await send('GET', '/healthz')
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
  const row = figureRow(`beside ${name}: p99 / quiet p99`, worst, '', { most: 3 })
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
