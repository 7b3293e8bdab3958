import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { backUp } from '../db/backup/back-up.ts'
import type { Sink } from '../db/backup/file.ts'
import { checkedArchive } from '../db/backup/reading.ts'
import { verify } from '../db/backup/verify.ts'
import type { Output } from '../processes/serve.ts'
import { version } from '../processes/version.ts'
import { archiveProgress, megabytes } from './archive-progress.ts'
import { type CommandContext, UsageProblem, valid } from './command.ts'
import { formatNumber } from './demo/progress.ts'
import { withArchive, withStore } from './with-store.ts'

/** Writes the whole database, or one organization, to a file while servers keep running. */
export async function runBackup({
  config,
  values,
  operands: [file],
  output,
}: CommandContext<{ org: string; force: boolean; verify: boolean }>): Promise<void> {
  if (file === undefined) throw new UsageProblem('Name a file: taskwright backup <file>.')
  if (file === '-' && values.verify)
    throw new UsageProblem('--verify needs a file: a backup to standard output cannot be verified.')
  const orgId = values.org === undefined ? undefined : valid('org', OrganizationId, values.org)
  const { say } = output
  const to = file === '-' ? standardOutput : resolve(file)
  await withArchive(async (signal) => {
    stepAside()
    const { told, end } = archiveProgress('Backing up')
    const options = { version: await version(), orgId, replacing: values.force ?? false, say, told, signal }
    await withStore('command', config, output, signal, async ({ connection }) => {
      const { rows, bytes } = await backUp(connection, to, options).finally(end)
      say(`Backed up ${formatNumber(rows)} rows in ${megabytes(bytes)}${file === '-' ? '' : ` to ${file}`}.`)
    })
    if (values.verify && typeof to === 'string') await verifyFile(to, output, signal)
  })
}

async function verifyFile(file: string, { say }: Output, signal: AbortSignal): Promise<void> {
  const { told, end } = archiveProgress('Restoring')
  await verify(await checkedArchive(file, signal), { say, told, signal }).finally(end)
  say('Restored it into a temporary database: all rows are the same.')
}

/** The id of an organization, in upper or lower case. */
export const OrganizationId = z.string().toLowerCase().pipe(z.uuid('must be the id of an organization'))

/** Lowers the priority of this process, because requests are more urgent than a backup. */
function stepAside(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // this system has no priorities
  }
}

const standardOutput: Sink = {
  write: (bytes) =>
    new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))),
}
