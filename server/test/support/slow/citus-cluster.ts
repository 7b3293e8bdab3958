import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterwards, type Scope } from '../afterwards.ts'
import { inTime } from '../until.ts'
import { linesOf } from './processes.ts'

const script = fileURLToPath(new URL('../../../../scripts/citus.mjs', import.meta.url))

/** A node that holds organizations. */
export interface Worker {
  host: string
  port: number
}

/**
 * A throw-away Citus cluster of a coordinator and two workers that others do not use, so that nodes of it may be killed: they
 * are started again fifteen seconds later.
 */
export async function citusCluster(t: Scope) {
  const child = spawn(process.execPath, [script, '--shards', '4', '--back', '15'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  afterwards(t, async () => {
    child.kill('SIGTERM')
    await ended
  })
  const out = linesOf(child.stdout)
  const isUrl = (line: string) => line.startsWith('postgres:')
  const url = await inTime(Promise.race([out.first(isUrl), ended.then(() => '')]), 'There is no Citus cluster')
  if (url === '') throw new Error('There is no Citus to test on')

  const ask = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    ask,
    /** Where the rows of an organization are, and the other worker. */
    async placeOf(orgId: string) {
      const workers = await ask<Worker & { shard: string | null }>(
        `select nodename as host, nodeport as port, shardid as shard from pg_dist_node
         left join pg_dist_placement on pg_dist_placement.groupid = pg_dist_node.groupid
           and shardid = get_shard_id_for_distribution_column('organizations', $1::uuid)
         where shouldhaveshards`,
        [orgId],
      )
      const own = workers.find(({ shard }) => shard !== null)
      const other = workers.find(({ shard }) => shard === null)
      if (own?.shard == null || other === undefined) throw new Error('The cluster has not two workers')
      return { shard: own.shard, on: own, other }
    },
    /** SIGKILL to all processes of a node, as when its machine loses power. */
    async kill({ port }: Worker): Promise<void> {
      const isIt = new RegExp(`port ${port}, process (\\d+)`)
      const [, postmaster] = isIt.exec(out.all.findLast((line) => isIt.test(line)) ?? '') ?? []
      const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
      const children = [...stdout.matchAll(/(\d+) +(\d+)/g)].filter(([, , parent]) => parent === postmaster)
      for (const pid of [postmaster, ...children.map(([, child]) => child)]) {
        try {
          process.kill(Number(pid), 'SIGKILL')
        } catch (error) {
          // it ended by itself meanwhile
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    },
  }
}
