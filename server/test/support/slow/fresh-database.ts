import { newDatabase } from '../databases.ts'
import { databaseUrl } from '../world.ts'

/** An empty database on the PostgreSQL of this run. The program that starts on it makes all of its tables. */
export const freshDatabase = () => newDatabase(databaseUrl, 'fresh')
