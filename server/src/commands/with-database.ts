import type { Config } from '../config.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { Database, type DatabaseOptions } from '../db/pool/database.ts'
import type { Output } from '../processes/serve.ts'
import { onceAborted, stopSignals } from '../processes/stop-signals.ts'
import { openStore } from '../processes/store.ts'
import { Failure } from './command.ts'

/** A signal stopped a command. PostgreSQL rolls back its open transaction. */
export class Interruption extends Failure {
  constructor(signal: NodeJS.Signals) {
    super(`Stopped (${signal}).`)
  }
}

/**
 * Migrates the database, then runs the work, with or without a running server.
 * @param work gets the names of the applied migrations, and an abort signal
 * @throws Interruption if a signal stops the command; PostgreSQL rolls back uncommitted work
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
    // a connection with a running query does not close by itself
    if (error instanceof Interruption) db.destroySockets()
    throw error
  } finally {
    await db.close()
    await store.close()
  }
}
