import { sql } from '../db/sql.ts'
import { tablesOfOrganizations } from '../jobs/organization-erasure/tables.ts'
import { type CommandContext, UsageProblem } from './command.ts'
import { formatNumber } from './demo/progress.ts'
import { organizationOf, restorableUntil, stateOf } from './stored-organization.ts'
import { moment, tableOf, withoutControls } from './table.ts'
import { withDatabase } from './with-database.ts'

interface OrganizationDetails {
  table: string
  rows: number
  bytes: number
}

/** Shows one organization, and its size in each table. */
export const runOrgShow = ({
  config,
  values: { json },
  operands: [id],
  output,
}: CommandContext<{ json: boolean }>): Promise<void> =>
  withDatabase(
    config,
    output,
    async (db) => {
      if (id === undefined) throw new UsageProblem('Name an organization by its id: taskwright org show <id>.')
      const organization = await organizationOf(db, id)
      const owners = await db.rows<{ name: string; email: string }>(sql`
      select name, email from members where org_id = ${organization.id} and role = 'owner' and deleted_at is null
      order by id limit 100`)
      const stored: OrganizationDetails[] = []
      for (const { name } of await tablesOfOrganizations(db)) {
        const table = sql.named(name)
        const counted = await db.row<Omit<OrganizationDetails, 'table'>>(sql`
        select count(*) as rows, coalesce(sum(pg_column_size(${table}.*)), 0)::bigint as bytes from ${table}
        where org_id = ${organization.id}`)
        if (counted && counted.rows > 0) stored.push({ table: name, ...counted })
      }
      const bytes = stored.reduce((sum, one) => sum + one.bytes, 0)
      const state = stateOf(organization)
      const until = restorableUntil(organization)
      if (json) {
        const { id, name, createdAt, deletedSince } = organization
        const known = { id, name, createdAt, state, deletedSince, restorableUntil: until }
        output.print(JSON.stringify({ ...known, owners, bytes, tables: stored }))
        return
      }
      output.print(`${withoutControls(organization.name)}  ${organization.id}`)
      output.print(
        `Created ${moment(organization.createdAt)}, ${state}${until ? `, can be restored until ${moment(until)}` : ''}.`,
      )
      for (const { name, email } of owners) output.print(`Owner ${withoutControls(name)}, ${withoutControls(email)}`)
      output.print(`About ${formatNumber(Math.ceil(bytes / 1_000))} kB without indexes:`)
      tableOf<OrganizationDetails>(
        [
          { heading: 'TABLE', of: ({ table }) => table },
          { heading: 'ROWS', of: ({ rows }) => formatNumber(rows) },
          { heading: 'KB', of: ({ bytes }) => formatNumber(Math.ceil(bytes / 1_000)) },
        ],
        output.print,
      )(stored.toSorted((a, b) => b.bytes - a.bytes))
    },
    patience,
  )

// the query reads every row of the organization
const patience = { statementTimeoutMs: 600_000 }
