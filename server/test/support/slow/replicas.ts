import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, lchown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Account, databaseAccount, ownAccount } from '../../../src/db/embedded/account.ts'
import { usableBinaries } from '../../../src/db/embedded/binaries.ts'
import { afterwards, type Scope } from '../afterwards.ts'
import { until } from '../until.ts'

/** A PostgreSQL that runs until it is killed, or the test ends. */
export interface Replica {
  /** the directory of its socket */
  host: string
  ask<Answer>(question: string): Promise<Answer>
  /** SIGKILL to all of its processes, as when its machine loses power */
  kill(): Promise<void>
}

/**
 * A primary and its standby, by streaming replication, and an address that moves with whoever is to be asked.
 * @param synchronous whether a commit is answered only when the standby has it on disk too
 * @see PostgreSQL, "High Availability, Load Balancing, and Replication"
 */
export async function primaryAndStandby(t: Scope, { synchronous }: { synchronous: boolean }) {
  const base = await mkdtemp(join(tmpdir(), 'tw-'))
  await chmod(base, 0o755)
  afterwards(t, () => rm(base, { recursive: true, force: true }))
  const account = ownAccount().uid === 0 ? await databaseAccount(() => {}) : ownAccount()
  const bin = process.env.TEST_POSTGRES_BIN ?? (await usableBinaries(account, join(base, 'programs'), () => {})).bin
  const [first, second] = [join(base, 'first'), join(base, 'second')]
  await mkdir(first, { mode: 0o700 })
  await lchown(first, account.uid, account.gid)
  const initdb = [...'--username=taskwright --auth=trust --encoding=UTF8 --locale=C --no-sync -D'.split(' '), first]
  await promisify(execFile)(join(bin, 'initdb'), initdb, { ...account, cwd: '/' })
  // one that was shut down, as it is after initdb, may be copied as it stands
  await promisify(execFile)('cp', ['-Rp', first, second])
  await writeFile(join(second, 'standby.signal'), '')
  await appendFile(join(second, 'postgresql.conf'), `primary_conninfo = 'host=${first} user=taskwright'\n`)
  if (synchronous) await appendFile(join(first, 'postgresql.conf'), "synchronous_standby_names = '*'\n")
  const primary = await startPostgres(t, bin, first, account)
  const standby = await startPostgres(t, bin, second, account)
  const following = () => primary.ask<boolean>("select count(*) > 0 from pg_stat_replication where state = 'streaming'")
  await until(following, 'The standby does not follow')
  const address = await movingAddress(t, primary.host)
  return { primary, standby, address }
}

/** Starts PostgreSQL on a cluster, with a socket in its directory and nothing else. */
export async function startPostgres(t: Scope, bin: string, directory: string, account: Account): Promise<Replica> {
  const flags = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${directory}`]
  const child = spawn(join(bin, 'postgres'), ['-D', directory, ...flags], { ...account, cwd: '/', stdio: 'ignore' })
  const replica: Replica = {
    host: directory,
    async ask<Answer>(question: string): Promise<Answer> {
      const client = new pg.Client({ host: directory, user: 'taskwright', database: 'postgres', ssl: false })
      await client.connect()
      try {
        return (await client.query({ text: question, rowMode: 'array' })).rows[0]?.[0]
      } finally {
        await client.end()
      }
    },
    kill: () => killed(child),
  }
  afterwards(t, replica.kill)
  await until(() => replica.ask('select 1').catch(() => false), 'PostgreSQL does not start')
  return replica
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const children = [...stdout.matchAll(/(\d+) +(\d+)/g)].filter(([, , parent]) => Number(parent) === child.pid)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  for (const [, pid] of children) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      // it ended by itself meanwhile
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  await gone
}

/** A port that passes on to whichever PostgreSQL it is told, as a name or a virtual address of a cluster does. */
async function movingAddress(t: Scope, host: string) {
  let to = host
  const lines = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(`${to}/.s.PGSQL.5432`)
    for (const end of [near, far]) {
      lines.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        for (const either of [near, far]) lines.delete(either.destroy())
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(t, async () => {
    for (const line of lines) line.destroy()
    server.close()
  })
  return {
    url: `postgres://taskwright@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    /** From now on who connects is led there. */
    lead(host: string) {
      to = host
    },
  }
}
