import type { Config } from '../../config.ts'
import { clusterExists } from '../../db/embedded/cluster.ts'
import { plainClient, sessionSettings, setSession } from '../../db/pool/session.ts'
import { openStore, refuseLostDatabase, type Store } from '../../processes/store.ts'
import { type CheckResult, ok, wrong } from './finding.ts'
import { checkPooler, checkReplication, checkServer } from './postgres.ts'
import { checkQueuedMail } from './queued-mail.ts'
import { checkSchema } from './schema.ts'

/** Runs all checks of the database on one connection. It starts an embedded database if none runs, and stops it afterwards. */
export async function checkDatabase(config: Config): Promise<CheckResult[]> {
  const said: string[] = []
  try {
    if (config.databaseUrl === undefined && !(await clusterExists(config.dataDir))) {
      await refuseLostDatabase(config.dataDir)
      return [ok('database', 'there is none yet: the first start creates it')]
    }
    const store = await openStore(config, 'command', (sentence) => void said.push(sentence))
    try {
      return await checkStore(config, store)
    } finally {
      await store.close()
    }
  } catch (error) {
    return [wrong('database', error instanceof Error ? error.message : String(error))]
  }
}

async function checkStore(config: Config, store: Store): Promise<CheckResult[]> {
  const client = plainClient({ ...store.connection, query_timeout: 15_000 }, 'taskwright-doctor')
  try {
    await client.connect()
  } catch (error) {
    return [
      wrong('database', `it refuses the connection: ${(error as Error).message || (error as { code?: string }).code}`),
    ]
  }
  try {
    const pooled = await setSession(client, sessionSettings.plain)
    const checks = [
      () => checkServer(client, config),
      () => checkPooler(client, store.connection, pooled),
      () => checkReplication(client),
      () => checkSchema(client, config, store),
      () => checkQueuedMail(client, config),
    ]
    const findings: CheckResult[] = []
    for (const check of checks) findings.push(...(await check()))
    return findings
  } finally {
    await client.end()
  }
}
