import { ApiError } from '../contract/errors.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { restoreOrganization } from '../resources/organizations/organization.ts'
import { type CommandContext, UsageProblem } from './command.ts'
import { organizationOf } from './stored-organization.ts'
import { withoutControls } from './table.ts'
import { withDatabase } from './with-database.ts'

/** Restores an organization that its owner deleted. */
export const runOrgRestore = ({ config, operands: [id], output }: CommandContext): Promise<void> =>
  withDatabase(config, output, async (db) => {
    if (id === undefined) throw new UsageProblem('Name an organization by its id: taskwright org restore <id>.')
    const organization = await organizationOf(db, id)
    await changeFromOutside(db, (tx, emit, now) => restoreOrganization(tx, emit, organization.id, now)).catch(
      (error) => {
        if (!(error instanceof ApiError)) throw error
        const why = organization.deletedSince === null ? 'is not deleted' : 'can no longer be restored'
        throw new UsageProblem(`${withoutControls(organization.name)} ${why}.`)
      },
    )
    output.print(`Restored ${withoutControls(organization.name)}. Its keys work again.`)
  })
