import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { type Archive, checkedArchive } from '../db/backup/reading.ts'
import { restore } from '../db/backup/restore.ts'
import { verify } from '../db/backup/verify.ts'
import { readSecretKey } from '../db/embedded/secret-key.ts'
import { createSecrets } from '../operations/secrets.ts'
import type { Output } from '../processes/serve.ts'
import type { Store } from '../processes/store.ts'
import { archiveProgress } from './archive-progress.ts'
import { OrganizationId } from './backup.ts'
import { type CommandContext, UsageProblem, valid } from './command.ts'
import { formatNumber } from './demo/progress.ts'
import { withArchive, withStore } from './with-store.ts'

/** Restores a backup into an empty database. */
export async function runRestore({
  config,
  values,
  operands: [file],
  output,
}: CommandContext<{ org: string; verify: boolean }>): Promise<void> {
  if (file === undefined) throw new UsageProblem('Name a file: taskwright restore <file>.')
  const orgId = values.org === undefined ? undefined : valid('org', OrganizationId, values.org)
  if (values.verify && orgId !== undefined)
    throw new UsageProblem('--verify tests the complete archive. Leave out --org.')
  const { say } = output
  await withArchive(async (signal) => {
    say(`Reading ${file} …`)
    // check the archive before the command opens or creates a database
    const archive = await checkedArchive(resolve(file), signal)
    const { told, end } = archiveProgress('Restoring')
    if (values.verify) {
      await verify(archive, { say, told, signal }).finally(end)
      output.print(`${file} is complete: restored into a temporary database, all rows are the same.`)
      return
    }
    await withStore('restore', config, output, signal, async (store) => {
      const keyFingerprint = await fingerprintHere(config, store)
      const restored = await restore(store.connection, archive, { orgId, keyFingerprint, say, told, signal }).finally(
        end,
      )
      output.print(`Restored ${formatNumber(restored.rows)} rows.`)
      if (restored.applied.length > 0) output.print(`Applied ${restored.applied.length} newer migrations.`)
      tellOfKey(keyFingerprint, store, archive, output)
    })
  })
}

/** The fingerprint of the key that seals secrets on this instance, if this command knows the key. */
async function fingerprintHere({ secretKey }: Config, { secretKeyFile }: Store): Promise<string | undefined> {
  const key = secretKey ?? (secretKeyFile && (await readSecretKey(secretKeyFile)))
  return key === undefined ? undefined : createSecrets(key).fingerprint.toString('hex')
}

/** Tells the operator which key to use: only the key that sealed the webhook secrets opens them, and no archive contains it. */
function tellOfKey(
  here: string | undefined,
  { secretKeyFile }: Store,
  { contents: { secretKeyFingerprint } }: Archive,
  { say }: Output,
): void {
  if (secretKeyFingerprint === null || secretKeyFingerprint === here) return
  const where =
    secretKeyFile === undefined ? 'set SECRET_KEY to it' : `put it into ${secretKeyFile} or set SECRET_KEY to it`
  say(
    `The secrets of webhooks are encrypted with a key that no archive contains, and ${here === undefined ? 'there is none here' : 'the one here is another'}: ` +
      `${where} before you start a server, which needs it.`,
  )
}
