// biome-ignore-all assist/source/organizeImports: the exports are grouped by purpose
/** The parts of the server that `bench/` and `scripts/` can import. The server itself never imports this file. */

// to create keys and cursors as the server does
export { newKey, readKey } from './access/keys.ts'
export { createCursors } from './lists/cursor.ts'

// to generate the descriptions of the API
export { admins, everyone, isBelow, operator, type ProjectRole, type Role } from './access/caller.ts'
export type { Belonging } from './access/loader.ts'
export { errorCodes } from './contract/error-codes.ts'
export { openapi } from './openapi/openapi.ts'
export type { Route } from './operations/route.ts'
export { eventTypes, routes } from './resources/index.ts'

// to describe the schema, and to check which migrations can run beside servers of another version
export { rollingUpgradeOf } from './db/migrations/rolling-upgrade.ts'
export { allMigrations, type Migration } from './db/migrations/released.ts'

// to open a database
export { openEmbeddedPostgres } from './db/embedded/embedded.ts'
export { migrate } from './db/migrations/migrate.ts'

// to fill a database by COPY
export { type CopyTransaction, inCopyTransactionOn } from './db/copy/copy-transaction.ts'
export { setIndexesAside } from './db/copy/indexes.ts'
export { postponeReferences } from './db/copy/references.ts'
export { newId } from './db/ids.ts'
export { positionGap } from './resources/board/order.ts'

// to generate random but repeatable data
export { addBoard } from './commands/demo/boards.ts'
export { dateOf, momentOf } from './commands/demo/calendar.ts'
export { addKey } from './commands/demo/keys.ts'
export { at, type Random, randomFrom, sumsOf } from './commands/demo/random.ts'
export { type Rows, rowsOf, tables } from './commands/demo/rows.ts'
export { type Mint, mintFrom } from './commands/demo/seeding.ts'
export { type ProgressTeller, progressOn } from './commands/demo/progress.ts'
