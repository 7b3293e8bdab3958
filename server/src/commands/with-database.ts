import type { Config } from '../config.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { Database, type DatabaseOptions } from '../db/pool/database.ts'
import type { Output } from '../processes/serve.ts'
import { onceAborted, stopSignals } from '../processes/stop-signals.ts'
import { openStore } from '../processes/store.ts'
import { Failure } from './command.ts'

/** Somebody stopped a command; the transaction that it had begun is undone. */
export class Interruption extends Failure {
  constructor(signal: NodeJS.Signals) {
    super(`Stopped (${signal}).`)
  }
}

/**
 * Works on the database, beside a running server or without one; it is brought up to date first.
 * @param work gets the names of the migrations that this applied, and a signal that somebody stops it
 * @throws Interruption once somebody stops it; what the work had not committed by then is undone
 */
export async function withDatabase(
  config: Config,
  { say }: Output,
  work: (db: Database, applied: string[], stopped: AbortSignal) => Promise<void>,
  options: Omit<DatabaseOptions, 'connection'> = {},
): Promise<void> {
  const { requested } = stopSignals()
  const store = await openStore(config, 'command', say, requested)
  const db = new Database({ connection: store.connection, poolSize: 4, ...options })
  const working = migrate(store.connection, undefined, { say, signal: requested }).then((applied) =>
    work(db, applied, requested),
  )
  try {
    await Promise.race([onceAborted(requested).then((signal) => Promise.reject(new Interruption(signal))), working])
  } catch (error) {
    // PostgreSQL is not left by who is still at work in it
    if (error instanceof Interruption) db.destroySockets()
    throw error
  } finally {
    await db.close()
    await store.close()
  }
}
