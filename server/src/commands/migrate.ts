import type { Asked } from './command.ts'
import { withDatabase } from './with-database.ts'

/** Brings the database up to date, as each start and each command does first. */
export const runMigrate = ({ config, output }: Asked): Promise<void> =>
  withDatabase(config, output, async (_, applied) => {
    output.print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
  })
