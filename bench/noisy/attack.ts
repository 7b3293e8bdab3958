import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { query } from '../database.ts'
import { founded } from './client.ts'

/** Where an attack takes place. */
interface Ground {
  base: string
  operatorToken: string
  /** the URL of the server's */
  database: string
  /** the organization that is attacked */
  victimId: string
}

/** What is done, by whom, and for how long. */
export interface Plan {
  /** names of ways */
  ways: readonly string[]
  /** all by one organization, or each by another */
  by: 'one' | 'each'
  seconds: number
}

const attacker = new URL('attacker.ts', import.meta.url)

/**
 * Does something while others do their worst.
 * @throws Error when they cannot, or end before it does
 */
export async function whileAttacked<T>(ground: Ground, plan: Plan, act: () => Promise<T>): Promise<T> {
  const env = { ...process.env, ...(await variablesOf(ground, plan)) }
  // in a session of its own, by which Linux shares the processors
  const child = fork(attacker, { env, execArgv: ['--import', 'tsx'], detached: true })
  const ended = once(child, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`The attacker ended with ${signal ?? `status ${code}`}`)),
  )
  ended.catch(() => {})
  try {
    await Promise.race([once(child, 'message'), ended])
    child.send('go')
    return await Promise.race([act(), ended])
  } finally {
    await killed(child)
    await cleared(ground)
  }
}

async function variablesOf({ base, operatorToken, database, victimId }: Ground, { ways, by, seconds }: Plan) {
  const newKey = async () => (await founded(base, operatorToken, 'Noisy')).client.key
  const shared = by === 'one' ? await newKey() : undefined
  const keys: Record<string, string> = {}
  for (const name of ways) keys[name] = shared ?? (await newKey())
  return {
    ...{ NOISY_BASE: base, NOISY_KEYS: JSON.stringify(keys), NOISY_VICTIM: victimId },
    ...{ NOISY_DATABASE: database, NOISY_SECONDS: String(seconds) },
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** What jobs have left to do for attackers would be met by the measurements that follow. */
async function cleared({ database, victimId }: Ground): Promise<void> {
  for (const table of ['comments', 'detachments']) {
    await query(database, `delete from ${table} where org_id <> $1`, [victimId])
  }
  await query(database, 'vacuum')
}
