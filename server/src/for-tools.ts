// biome-ignore-all assist/source/organizeImports: they stand by what they are for
/** What `bench/` and `scripts/` use of the server. They come in by this door only, and the server never does. */

// to be a client that knows what only the server knows
export { newKey, readKey } from './access/keys.ts'
export { createCursors } from './lists/cursor.ts'

// to write what describes the API
export { admins, everyone, isBelow, operator, type ProjectRole, type Role } from './access/caller.ts'
export type { Belonging } from './access/loader.ts'
export { errorCodes } from './contract/error-codes.ts'
export { openapi } from './openapi/openapi.ts'
export type { Route } from './operations/route.ts'
export { eventTypes, routes } from './resources/index.ts'

// to write what describes the schema, and to know what of it servers of another version bear
export { besideOf } from './db/migrations/beside.ts'
export { allMigrations, type Migration } from './db/migrations/released.ts'

// to open a database of their own
export { openEmbeddedPostgres } from './db/embedded/embedded.ts'
export { migrate } from './db/migrations/migrate.ts'

// to fill a database by COPY
export { type CopyTransaction, inCopyTransactionOn } from './db/copy/copy-transaction.ts'
export { setIndexesAside } from './db/copy/indexes.ts'
export { postponeReferences } from './db/copy/references.ts'
export { newId } from './db/ids.ts'
export { positionGap } from './resources/board/order.ts'

// with what chance makes
export { addBoard } from './commands/demo/boards.ts'
export { dateOf, momentOf } from './commands/demo/calendar.ts'
export { addKey } from './commands/demo/keys.ts'
export { at, type Random, randomFrom, sumsOf } from './commands/demo/random.ts'
export { type Rows, rowsOf, tables } from './commands/demo/rows.ts'
export { type Mint, mintFrom } from './commands/demo/seeding.ts'
export { type ProgressTeller, progressOn } from './commands/demo/progress.ts'
