import type { Config } from '../config.ts'
import { ArchiveProblem } from '../db/backup/problem.ts'
import type { Output } from '../processes/serve.ts'
import { onceAborted, stopSignals } from '../processes/stop-signals.ts'
import { openStore, type Store } from '../processes/store.ts'
import { Failure } from './command.ts'
import { Interruption } from './with-database.ts'

/** Runs work on an archive until it ends, or until a signal stops it. @throws Failure in a plain sentence */
export async function withArchive(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { requested } = stopSignals()
  try {
    await work(requested)
  } catch (error) {
    if (requested.aborted) throw new Interruption(await onceAborted(requested))
    throw error instanceof ArchiveProblem ? new Failure(error.message, { cause: error }) : error
  }
}

/**
 * Runs work on the database, with or without a running server. Unlike `withDatabase`, it does not migrate.
 * @param use as of `openStore`
 */
export async function withStore(
  use: 'command' | 'restore',
  config: Config,
  { say }: Output,
  signal: AbortSignal,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await openStore(config, use, say, signal)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}
