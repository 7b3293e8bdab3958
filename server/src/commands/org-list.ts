import { nilId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'
import type { CommandContext } from './command.ts'
import { restorableUntil, type StoredOrganization, stateOf, storedOrganization } from './stored-organization.ts'
import { moment, tableOf } from './table.ts'
import { withDatabase } from './with-database.ts'

interface ListedOrganization extends StoredOrganization {
  members: number
  tasks: number
}

/** Lists the organizations, the oldest first, page by page, so that any number of them fits into memory. */
export const runOrgList = ({ config, values: { json }, output }: CommandContext<{ json: boolean }>): Promise<void> =>
  withDatabase(
    config,
    output,
    async (db) => {
      const print = tableOf<ListedOrganization>(
        [
          { heading: 'ID', of: ({ id }) => id },
          { heading: 'CREATED', of: ({ createdAt }) => moment(createdAt) },
          { heading: 'MEMBERS', of: ({ members }) => members },
          { heading: 'TASKS', of: ({ tasks }) => tasks },
          { heading: 'STATE       ', of: stateOf },
          { heading: 'NAME', of: ({ name }) => name },
        ],
        output.print,
      )
      for (let last = nilId; ; ) {
        const page = await db.rows<ListedOrganization>(sql`
        select ${storedOrganization}, (
            select count(*) from members where members.org_id = organizations.org_id and members.deleted_at is null) as members, (
            select count(*) from tasks where tasks.org_id = organizations.org_id and tasks.deleted_at is null) as tasks
        from organizations where organizations.org_id > ${last} order by organizations.org_id limit ${pageSize}`)
        if (json) for (const one of page) output.print(jsonOf(one))
        else if (page.length > 0 || last === nilId) print(page)
        last = page.at(-1)?.id ?? nilId
        if (page.length < pageSize) return
      }
    },
    patience,
  )

const jsonOf = (one: ListedOrganization) => {
  const { id, name, createdAt, members, tasks, deletedSince } = one
  const state = stateOf(one)
  return JSON.stringify({
    id,
    name,
    createdAt,
    members,
    tasks,
    state,
    deletedSince,
    restorableUntil: restorableUntil(one),
  })
}

const pageSize = 100
// counting the rows can take minutes
const patience = { statementTimeoutMs: 600_000 }
