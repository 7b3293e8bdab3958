import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

// arbitrary numbers, the same in every process
const migratingLock = 7_265_100_001
const schemaLock = 7_265_100_003
const toldAfterMs = 3_000
// for statements that wait for nothing
const answerTimeoutMs = 10_000

/** Waits until no other process migrates the database, then blocks others until the connection ends. */
export const lockMigrations = (client: pg.Client, say: (sentence: string) => void): Promise<void> =>
  untilHeld(client, `pg_try_advisory_lock(${migratingLock})`, () =>
    say('Waiting for another process that migrates the database.'),
  )

/** Lets other processes migrate again. */
export const unlockMigrations = (client: pg.Client) => client.query(`select pg_advisory_unlock(${migratingLock})`)

/** Waits until no backup reads the whole database, as it would block migrations all the time. */
export const waitForBackups = (client: pg.Client, say: (sentence: string) => void): Promise<void> =>
  untilHeld(client, `pg_try_advisory_lock(${schemaLock})`, () =>
    say('Migrations wait for a running backup, which reads all tables in one snapshot.'),
  )

/** Makes migrations wait until the connection ends; several processes may do so at the same time. */
export const keepSchema = (client: pg.Client, say: (sentence: string) => void): Promise<void> =>
  untilHeld(client, `pg_try_advisory_lock_shared(${schemaLock})`, () =>
    say('Waiting for another process that migrates the database.'),
  )

/** Takes an advisory lock by polling: a statement that waits for a lock would block CREATE INDEX CONCURRENTLY. */
async function untilHeld(client: pg.Client, lock: string, told: () => void): Promise<void> {
  const beganMs = performance.now()
  for (let silent = true; ; await wait(50)) {
    const asked = { text: `select ${lock} as held`, query_timeout: answerTimeoutMs }
    const { rows } = await client.query<{ held: boolean }>(asked)
    if (rows[0]?.held) return
    if (!silent || performance.now() - beganMs < toldAfterMs) continue
    silent = false
    told()
  }
}
