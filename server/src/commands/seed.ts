import { type CommandContext, wholeNumber } from './command.ts'
import { formatNumber, progressOn } from './demo/progress.ts'
import { mostTasks, scaleOf, seed } from './demo/seed.ts'
import { withDatabase } from './with-database.ts'

/** Creates an organization with a year of work. */
export async function runSeed({
  config,
  values,
  output,
}: CommandContext<{ seed: string; size: string }>): Promise<void> {
  const wanted = {
    seed: wholeNumber('seed', values.seed, 1, { min: 0, max: 2 ** 32 - 1 }),
    tasks: wholeNumber('size', values.size, 2_000, { min: 1, max: mostTasks }),
  }
  await withDatabase(config, output, async (db) => {
    const scale = scaleOf(wanted.tasks)
    output.say(`Seeding ${formatNumber(scale.tasks)} tasks and ${formatNumber(scale.entries)} time entries …`)
    const keysFor = ['owner', 'admin', 'member', 'viewer'] as const
    const { name, orgId, keys } = await seed(db, { ...wanted, keysFor }, progressOn(process.stderr, scale))
    output.say(`Created the organization ${name}. The API keys are shown only now.`)
    output.print(`${orgId}  organization ${name}`)
    for (const { secret, person, role } of keys) output.print(`${secret}  ${person.name}, ${role}`)
  })
}
