import { readSecretKey } from '../db/embedded/secret-key.ts'
import { createSecrets } from '../operations/secrets.ts'
import { resealAll } from '../resources/webhooks/resealing.ts'
import { type CommandContext, UsageProblem } from './command.ts'
import { withDatabase } from './with-database.ts'

/** Seals the webhook secrets again, with a new SECRET_KEY. */
export async function runSecretKeyChange({ config, operands: [file], output }: CommandContext): Promise<void> {
  const { secretKey } = config
  if (file === undefined)
    throw new UsageProblem('Name the file with the former key: taskwright secret-key change <file>.')
  if (secretKey === undefined) throw new UsageProblem('Set SECRET_KEY to the new key.')
  const former = await readSecretKey(file)
  if (former === undefined) throw new UsageProblem(`There is no file ${file}.`)
  await withDatabase(config, output, async (db) => {
    const count = await db.transaction((tx) => resealAll(tx, createSecrets(former), createSecrets(secretKey)))
    if (count === undefined) throw new UsageProblem(`${file} does not contain the key that encrypts the secrets now.`)
    output.print(`The secrets of ${count} webhooks are encrypted with SECRET_KEY now. Start all servers with it.`)
  })
}
