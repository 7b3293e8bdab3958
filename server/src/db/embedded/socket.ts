import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { StartupProblem } from '../pool/startup-problem.ts'
import { passes } from './account.ts'
import type { Cluster } from './cluster.ts'

/** PostgreSQL names its socket after a port; nothing ever listens on the port. */
export const port = 5432

/** The directory of the Unix socket: PGDATA, or a private one below /tmp if that path is too long for a socket. */
export async function socketDirectory({ directory, account }: Cluster): Promise<string> {
  const limitBytes = process.platform === 'darwin' ? 103 : 107
  if (Buffer.byteLength(join(directory, `.s.PGSQL.${port}`)) <= limitBytes) return directory
  const path = `/tmp/taskwright-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`
  const isPrivate = 'mkdir -m 700 "$0" || { test -d "$0" && test ! -L "$0" && test -O "$0" && chmod 700 "$0"; }'
  if (await passes(account, isPrivate, path)) return path
  throw new StartupProblem(
    `PostgreSQL's socket directory ${path} belongs to another account: remove it, then start again.`,
  )
}
