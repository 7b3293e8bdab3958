import { newKey } from '../access/keys.ts'
import { Name } from '../contract/fields.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { storeKey } from '../resources/api-keys/api-key.ts'
import { type CommandContext, valid } from './command.ts'
import { activeMember } from './stored-member.ts'
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
    const holder = await activeMember(db, org, email)
    const key = newKey(holder.orgId)
    const fields = { memberId: holder.id, name: keyName, scopes: ['read', 'write'] }
    await changeFromOutside(db, async (tx, emit, now) => {
      emit('api_key.created', await storeKey(tx, holder.orgId, key, fields, now), { orgId: holder.orgId })
    })
    output.say(`A key for ${holder.email} in ${holder.orgName}, shown only now:`)
    output.print(key.secret)
  })
