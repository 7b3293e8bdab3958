import { expected } from '../db/expected.ts'
import { normalizeText } from '../db/normalize-text.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { beginErasure, endErasures, erasure } from '../jobs/organization-erasure/erasure.ts'
import { type OwnTable, tablesOfOrganizations } from '../jobs/organization-erasure/tables.ts'
import { writesEnded } from '../jobs/organization-erasure/writes-ended.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { eraseLeftPersons } from '../persons/erasing.ts'
import { deleteOrganization, organizationNow } from '../resources/organizations/organization.ts'
import { ask } from './ask.ts'
import { type CommandContext, Failure, UsageProblem } from './command.ts'
import { formatNumber, progressBar } from './demo/progress.ts'
import { organizationOf, type StoredOrganization } from './stored-organization.ts'
import { withoutControls } from './table.ts'
import { withDatabase } from './with-database.ts'

/** Erases an organization for good, now instead of in 30 days. */
export const runOrgDelete = ({
  config,
  values: { yes },
  operands: [id],
  output,
}: CommandContext<{ yes: boolean }>): Promise<void> =>
  withDatabase(
    config,
    output,
    async (db, _, stopped) => {
      if (id === undefined) throw new UsageProblem('Name an organization by its id: taskwright org delete <id>.')
      const organization = await organizationOf(db, id)
      const name = withoutControls(organization.name)
      if (!yes && !process.stdin.isTTY)
        throw new UsageProblem(`This deletes ${name} and all its data for good. Add --yes to confirm.`)
      if (!yes && !(await isConfirmed(organization, stopped)))
        throw new Failure('That is not its name. Nothing was changed.')
      await close(db, organization)
      output.say(`${name} is deleted, and its keys no longer work. Erasing its data …`)
      await writesEnded(db)
      output.print(`Deleted ${name}, ${formatNumber(await eraseAll(db, organization.id))} rows in all.`)
    },
    patience,
  )

async function isConfirmed({ name }: StoredOrganization, stopped: AbortSignal): Promise<boolean> {
  const question = `This deletes ${withoutControls(name)} and all its data for good. Type its name to confirm: `
  return normalizeText(await ask(question, stopped)) === normalizeText(withoutControls(name))
}

/** After this commit, no key opens the organization, and nothing can restore it. */
const close = (db: Database, { id, deletedSince }: StoredOrganization): Promise<unknown> =>
  changeFromOutside(db, async (tx, emit, now) => {
    if (deletedSince === null)
      await deleteOrganization(tx, emit, expected(await organizationNow(tx, id), 'The organization'), now)
    await beginErasure(tx, id, now)
  })

async function eraseAll(db: Database, orgId: string): Promise<number> {
  const tables = await tablesOfOrganizations(db)
  const bar = progressBar(process.stderr, 'Deleting')
  const all = await rowsIn(db, orgId, tables)
  let erased = 0
  for await (const count of erasure(db, orgId, tables, batch)) {
    erased += count
    bar.tell(Math.min(1, erased / all), `${formatNumber(erased)} rows`)
  }
  await endErasures(db, [orgId], tables)
  await eraseLeftPersons(db)
  bar.end()
  return erased + 1
}

async function rowsIn(db: Database, orgId: string, tables: readonly OwnTable[]): Promise<number> {
  let all = 0
  for (const { name } of tables) {
    const counted = await db.row<{ count: number }>(sql`
      select count(*) as count from ${sql.named(name)} where org_id = ${orgId}`)
    all += counted?.count ?? 0
  }
  return all
}

const batch = 500
// counting the rows can take minutes
const patience = { statementTimeoutMs: 600_000 }
