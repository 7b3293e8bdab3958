import { expected } from '../db/expected.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { changeFromOutside } from '../operations/changes.ts'
import type { LinkedMember } from '../persons/links.ts'
import type { Output } from '../processes/serve.ts'
import { createOrganization } from '../resources/organizations/organizations.ts'
import { formatNumber, progressOn } from './demo/progress.ts'
import { scaleOf, seed } from './demo/seed.ts'
import { activeMember } from './stored-member.ts'

/**
 * In an empty database, creates the first organization, and prints the API key of its owner.
 * @param demo whether to fill the organization with a year of work
 * @returns the owner, for a sign-in link; undefined if the database was not empty
 */
export async function createFirstOrganization(
  db: Database,
  output: Output,
  demo: boolean,
): Promise<LinkedMember | undefined> {
  if (await db.row(sql`select org_id from organizations limit 1`)) {
    if (demo) output.say('The database is not empty, so no example data was added.')
    return undefined
  }
  const secret = demo ? await createDemoOrganization(db, output) : await createEmptyOrganization(db)
  output.print(`Created an organization. The API key of its owner, shown only now: ${secret}`)
  const { orgId, id } = await activeMember(db, undefined, undefined)
  return { orgId, memberId: id }
}

async function createEmptyOrganization(db: Database): Promise<string> {
  const owner = { name: 'Owner', email: 'owner@example.com' }
  const { apiKey } = await changeFromOutside(db, (tx, emit, now) =>
    createOrganization(tx, emit, { name: 'My organization', owner }, now),
  )
  return apiKey.secret
}

async function createDemoOrganization(db: Database, output: Output): Promise<string> {
  const wanted = { seed: 1, tasks: 2_000, keysFor: ['owner'] } as const
  const { name, tasks, entries, keys } = await seed(db, wanted, progressOn(process.stderr, scaleOf(wanted.tasks)))
  output.say(
    `Created a year of example data for ${name}: ${formatNumber(tasks)} tasks and ${formatNumber(entries)} time entries.`,
  )
  return expected(keys[0], 'The key of the owner').secret
}
