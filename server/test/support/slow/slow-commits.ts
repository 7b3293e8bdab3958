import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterwards, type Scope } from '../afterwards.ts'
import { holdCounter } from '../holding.ts'
import type { Api, Reply } from '../world.ts'

/**
 * Has the commits of an organization wait, so that writes share transactions from now on.
 * @returns what lets them commit, and the answers of the two writes that were needed for it
 */
export async function commitsWait(t: Scope, url: string, { orgId, owner }: { orgId: string; owner: Api }) {
  const held = await holdCounter(t, url, orgId)
  const first: Promise<Reply>[] = []
  for (const n of [1, 2]) {
    first.push(owner.post('/tags', { name: `In front ${n}` }))
    await held.waiters(n)
  }
  return { ...held, first: Promise.all(first) }
}

/** Makes each commit of an organization take a while, as a slow disk does, until it is told to stop. */
export async function slowCommits(t: Scope, url: string, orgId: string, flushMs = 15): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let going = true
  const ended = (async () => {
    while (going) {
      await client.query('begin')
      await client.query('select 1 from event_counters where org_id = $1 for update', [orgId])
      await wait(flushMs)
      await client.query('rollback')
    }
  })().catch(() => {})
  afterwards(t, async () => {
    going = false
    await ended
    await client.end()
  })
}
