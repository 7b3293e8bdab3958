import { newKey } from '../access/keys.ts'
import { Name } from '../contract/fields.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { storeKey } from '../resources/api-keys/api-key.ts'
import { type CommandContext, UsageProblem, valid } from './command.ts'
import { withDatabase } from './with-database.ts'

/** Creates an API key for a member who lost theirs. */
export const runKeyCreate = ({
  config,
  values,
  output,
}: CommandContext<{ org: string; email: string; name: string }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    const { org, email, name = 'Made on the command line' } = values
    const keyName = valid('name', Name, name)
    const holder = await holderOf(db, org, email)
    const key = newKey(holder.orgId)
    const fields = { memberId: holder.id, name: keyName, scopes: ['read', 'write'] }
    await changeFromOutside(db, async (tx, emit, now) => {
      emit('api_key.created', await storeKey(tx, holder.orgId, key, fields, now), { orgId: holder.orgId })
    })
    output.say(`A key for ${holder.email} in ${holder.orgName}, shown only now:`)
    output.print(key.secret)
  })

async function holderOf(db: Database, org: string | undefined, email: string | undefined) {
  const holders = await db.rows<{ orgId: string; id: string; orgName: string; email: string }>(sql`
    select members.org_id as "orgId", members.id, organizations.name as "orgName", members.email from members
    join organizations on organizations.org_id = members.org_id
    where members.status = 'active' and members.deleted_at is null and organizations.deleted_since is null
      and (${org ?? null}::text is null or members.org_id::text = ${org?.toLowerCase() ?? null})
      and (members.email = ${email?.toLowerCase() ?? null} or ${email ?? null}::text is null and members.role = 'owner')
    order by members.org_id, members.id limit 100`)
  const [holder] = holders
  if (holder === undefined)
    throw new UsageProblem('There is no such member. Check the organization and the e-mail address.')
  if (holders.some(({ orgId }) => orgId !== holder.orgId)) {
    const list = [...new Set(holders.map(({ orgId, orgName }) => `  ${orgId}  ${orgName}`))].join('\n')
    throw new UsageProblem(`There are several organizations. Choose one with --org:\n${list}`)
  }
  return holder
}
