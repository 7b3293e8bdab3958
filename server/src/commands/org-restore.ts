import { ApiError } from '../contract/errors.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { restoreOrganization } from '../resources/organizations/deleting.ts'
import { command, UsageProblem } from './command.ts'
import { organizationOf } from './stored-organization.ts'
import { shown } from './table.ts'
import { withDatabase } from './with-database.ts'

/** Brings back an organization that its owner deleted. */
export const orgRestoreCommand = command('org restore', {
  line: '<id>',
  about: ['bring back an organization that was deleted in the last 30 days, with its keys'],
  mostOperands: 1,
  run: ({ config, operands: [id], output }) =>
    withDatabase(config, output, async (db) => {
      if (id === undefined) throw new UsageProblem('org restore needs the id of an organization.')
      const organization = await organizationOf(db, id)
      await changeFromOutside(db, (tx, emit, now) => restoreOrganization(tx, emit, organization.id, now)).catch(
        (error) => {
          if (!(error instanceof ApiError)) throw error
          const why = organization.deletedSince === null ? 'is not deleted' : 'can no longer be restored'
          throw new UsageProblem(`${shown(organization.name)} ${why}.`)
        },
      )
      output.print(`Restored ${shown(organization.name)}. Its keys open again what they opened.`)
    }),
})
