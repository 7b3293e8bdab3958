import { rollingUpgradeOf } from '../../server/src/for-tools.ts'
import { toldOf } from './changelog.ts'
import type { Plan } from './problems.ts'

/** The release notes: the changelog section, the breaking changes, and the upgrade steps. */
export function notesOf({ version, last, changelog, migrations, breaks }: Omit<Plan, 'uncommitted'>): string {
  return [
    `# Taskwright ${version}`,
    toldOf(changelog, version),
    ...(breaks.length === 0
      ? []
      : [`## What breaks clients of ${last.version}`, breaks.map((sentence) => `- ${sentence}.`).join('\n')]),
    `## Upgrading from ${last.version}`,
    upgrading(migrations, last.version),
    'The packages are installed from the files of this release; `sha256sum --check SHA256SUMS` tells whether they are whole.',
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

function upgrading(migrations: Plan['migrations'], before: string): string {
  if (migrations.length === 0) return `The schema is that of ${before}: both versions run on it, in either direction.`
  const lines = migrations.map((migration) => {
    const { can, why } = rollingUpgradeOf(migration) ?? { can: false, why: 'it does not say' }
    return `| \`${migration.name}\` | ${can ? 'yes' : 'no'} | ${why} |`
  })
  const all = migrations.every((migration) => rollingUpgradeOf(migration)?.can)
  return [
    all
      ? `Servers of ${before} can go on beside servers of this version while these are started.`
      : `Stop all servers of ${before} first.`,
    `There is no way back but a backup.`,
    '',
    `| migration | beside ${before} | why |`,
    '|---|---|---|',
    ...lines,
  ].join('\n')
}
