import type { Migration } from '../server/src/for-tools.ts'

/**
 * Adds the hashes of new migrations to the list, one line each.
 * @throws Error if a listed migration was edited, renamed or deleted
 */
export function withHashes(list: string, migrations: readonly Migration[]): string {
  const listed = list.split('\n').filter((line) => line !== '')
  const lines = migrations.map(({ hash, name }) => `${hash}  ${name}`)
  const changed = listed.filter((line) => !lines.includes(line)).map((line) => line.replace(/^\w+ +/, ''))
  if (changed.length === 0) return lines.map((line) => `${line}\n`).join('')
  throw new Error(
    `${changed.join(', ')} is no longer what server/migrations.sha256 lists. A database that has it would refuse to start: ` +
      'put it back as it was, and make the change by a new one. If it has never left this machine, take its line out.',
  )
}
