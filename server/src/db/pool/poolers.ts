import pg from 'pg'
import { plainClient, type SessionSettings, setSession } from './session.ts'
import { StartupProblem } from './startup-problem.ts'

/**
 * Applies the settings to a new connection that must keep its backend.
 * @throws StartupProblem if a pooler shares the backend, or if times would be read wrongly
 */
export async function setOwnSession(
  client: pg.Client,
  connection: pg.ClientConfig,
  wanted: SessionSettings,
): Promise<void> {
  if (await setSession(client, wanted)) await refuseSharedBackends(client, connection)
}

/**
 * Refuses a pooler that changes the backend of a connection. Prepared statements, settings, locks and LISTEN belong to a
 * backend. If it changes, requests fail or, worse, times are wrong.
 * @param client a connection to a pooler
 * @throws StartupProblem
 */
export async function refuseSharedBackends(client: pg.Client, connection: pg.ClientConfig): Promise<void> {
  const other = plainClient({ ...connection, query_timeout: patienceMs }, 'taskwright-start')
  try {
    await other.connect()
    // several rounds: if others use the pooler too, the same backend may come back by chance
    for (let round = 0; round < 3; round++) {
      const before = await backendOf(client)
      await other.query('begin')
      const held = await backendOf(other)
      const after = await backendOf(client)
      await other.query('rollback')
      if (held === before || after !== before) throw new StartupProblem(shared)
    }
  } catch (error) {
    // in statement mode a pooler refuses BEGIN
    throw error instanceof pg.DatabaseError && error.code?.startsWith('08') ? new StartupProblem(shared) : error
  } finally {
    await other.end().catch(() => {})
  }
}

const patienceMs = 10_000

const shared =
  'DATABASE_URL leads to a pooler, such as PgBouncer, that gives each transaction another backend. Taskwright needs one for each of its connections: set pool_mode = session there, or connect past the pooler.'

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
