import { Email } from '../contract/email.ts'
import { Name } from '../contract/fields.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { createOrganization } from '../resources/organizations/organizations.ts'
import { type CommandContext, UsageProblem, valid } from './command.ts'
import { withDatabase } from './with-database.ts'

/** Creates an organization, as the operator does with the API. */
export const runOrgCreate = ({
  config,
  values,
  output,
}: CommandContext<{ name: string; 'owner-name': string; 'owner-email': string }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    const { name, 'owner-name': ownerName, 'owner-email': email } = values
    if (!name || !ownerName || !email) throw new UsageProblem('Give --name, --owner-name and --owner-email.')
    const owner = { name: valid('owner-name', Name, ownerName), email: valid('owner-email', Email, email) }
    const founding = { name: valid('name', Name, name), owner }
    const founded = await changeFromOutside(db, (tx, emit, now) => createOrganization(tx, emit, founding, now))
    output.print(`Created the organization ${founded.organization.id}. The API key of its owner, shown only now:`)
    output.print(founded.apiKey.secret)
    output.say(`To sign ${owner.email} in to the console: taskwright sign-in-link --member ${owner.email}`)
  })
