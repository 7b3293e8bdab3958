import { join } from 'node:path'
import { StartupProblem } from '../pool/startup-problem.ts'
import { asAccount, nameOf, ownAccount } from './account.ts'
import { type Cluster, superuser } from './cluster.ts'
import { readNoFollow } from './no-follow.ts'

/**
 * Settles who may connect: root and the account that runs PostgreSQL, by what the operating system says of who asks. An
 * account that is a mere number has no name to be known by; then the private directory of the socket keeps others out.
 */
export async function configureAuthentication({ directory, account }: Cluster): Promise<void> {
  const names = await Promise.all([account, ownAccount()].map(nameOf))
  const known = names.filter((name) => name !== undefined)
  const method = known.length === names.length ? `peer map=${superuser}` : 'trust'
  const files = {
    'pg_hba.conf': [`local all all ${method}`, `local replication all ${method}`],
    'pg_ident.conf': [...new Set(['root', ...known])].map((name) => `${superuser} "${name}" ${superuser}`),
  }
  for (const [name, lines] of Object.entries(files)) {
    const text = ['# Written by Taskwright, at each start of PostgreSQL', ...lines, ''].join('\n')
    if ((await readNoFollow(join(directory, name))) === text) continue
    await asAccount(account, writing, [join(directory, name), text]).catch(({ stderr }) => {
      throw new StartupProblem(`${join(directory, name)} cannot be written: ${String(stderr).trim()}`)
    })
  }
}

const writing = 'umask 077 && printf %s "$1" > "$0.new" && mv -f "$0.new" "$0"'
