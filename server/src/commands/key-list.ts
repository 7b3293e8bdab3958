import { nilId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'
import type { CommandContext } from './command.ts'
import { organizationOf } from './stored-organization.ts'
import { moment, tableOf } from './table.ts'
import { withDatabase } from './with-database.ts'

interface ListedKey {
  orgId: string
  id: string
  name: string
  holder: string
  scopes: string[]
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  madeBy: string | null
  createdAt: string
}

/** Lists API keys without their secrets. */
export const runKeyList = ({
  config,
  values: { org, json },
  output,
}: CommandContext<{ org: string; json: boolean }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    const only = org === undefined ? undefined : (await organizationOf(db, org)).id
    const print = tableOf<ListedKey>(
      [
        { heading: 'ID', of: ({ id }) => id },
        ...(only ? [] : [{ heading: 'ORGANIZATION', of: ({ orgId }: ListedKey) => orgId }]),
        { heading: 'SCOPES    ', of: ({ scopes }) => scopes.join('+') },
        { heading: 'LAST USED       ', of: ({ lastUsedAt }) => moment(lastUsedAt) ?? 'never' },
        { heading: 'EXPIRES         ', of: ({ expiresAt }) => moment(expiresAt) ?? 'never' },
        { heading: 'REVOKED         ', of: ({ revokedAt }) => moment(revokedAt) },
        { heading: 'HOLDER', of: ({ holder }) => holder },
        { heading: 'MADE BY', of: ({ madeBy }) => madeBy ?? 'nobody in it' },
        { heading: 'NAME', of: ({ name }) => name },
      ],
      output.print,
    )
    for (let [lastOrg, lastId] = [only ?? nilId, nilId]; ; ) {
      const after = only
        ? sql`api_keys.org_id = ${only} and api_keys.id > ${lastId}`
        : sql`(api_keys.org_id, api_keys.id) > (${lastOrg}, ${lastId})`
      const page = await db.rows<ListedKey>(sql`
        select api_keys.org_id as "orgId", api_keys.id, api_keys.name, members.email as holder, api_keys.scopes,
          api_keys.last_used_at as "lastUsedAt", api_keys.expires_at as "expiresAt", api_keys.revoked_at as "revokedAt",
          makers.email as "madeBy", api_keys.created_at as "createdAt"
        from api_keys join members on members.org_id = api_keys.org_id and members.id = api_keys.member_id
        left join members makers on makers.org_id = api_keys.org_id and makers.id = api_keys.created_by
        where ${after} order by api_keys.org_id, api_keys.id limit ${pageSize}`)
      if (json) for (const key of page) output.print(JSON.stringify(key))
      else if (page.length > 0 || lastId === nilId) print(page)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      ;[lastOrg, lastId] = [last.orgId, last.id]
    }
  })

const pageSize = 500
