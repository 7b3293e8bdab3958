import type pg from 'pg'
import type { Config } from '../../config.ts'
import { readSecretKey } from '../../db/embedded/secret-key.ts'
import { isDistributed, isOnCitus } from '../../db/migrations/citus.ts'
import { missingMigrations } from '../../db/migrations/migrate.ts'
import { createSecrets } from '../../operations/secrets.ts'
import type { Store } from '../../processes/store.ts'
import { type CheckResult, ok, orRefusal, warning, wrong } from './finding.ts'

/** Checks the migrations, our rights, the extensions, and the key that seals the secrets. */
export async function checkSchema(client: pg.Client, config: Config, store: Store): Promise<CheckResult[]> {
  return [
    ...(await orRefusal('migrations', () => checkMigrations(client))),
    ...(await orRefusal('rights', () => checkRights(client))),
    ...(await orRefusal('extensions', () => checkExtensions(client))),
    ...(await orRefusal('secrets', () => checkSecrets(client, config, store))),
  ]
}

async function checkMigrations(client: pg.Client): Promise<CheckResult[]> {
  const { missing, all } = await missingMigrations(client)
  if (missing.length === all) return [ok('migrations', `the database is empty: the first start applies ${all}`)]
  if (missing.length > 0)
    return [warning('migrations', `${missing.length} are not applied (${missing.join(', ')}): the next start does it`)]
  return [ok('migrations', `all ${all} are applied, and no others`)]
}

async function checkRights(client: pg.Client): Promise<CheckResult[]> {
  const { rows } = await client.query<{
    role: string
    creates: boolean
    schema: string | null
    lacking: string | null
  }>(`
    select current_user as role, current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
      (select string_agg(relname, ', ' order by relname) from pg_class
        where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p')
          and to_regclass('migrations') is not null
          and (not pg_has_role(relowner, 'usage') or not has_table_privilege(oid, 'select')
            or not has_table_privilege(oid, 'insert') or not has_table_privilege(oid, 'update')
            or not has_table_privilege(oid, 'delete'))) as lacking`)
  const [{ role, creates, schema, lacking }] = rows as [(typeof rows)[0]]
  if (!creates)
    return [wrong('rights', `${role} cannot create tables: grant create on schema ${schema ?? 'public'} to ${role}`)]
  if (lacking !== null)
    return [wrong('rights', `${role} does not own ${shortened(lacking)}: reassign owned by <the owner> to ${role}`)]
  return [ok('rights', `${role} can create tables, and owns the existing ones`)]
}

const shortened = (names: string) => (names.length > 80 ? `${names.slice(0, 80)} …` : names)

// extensions that migrations create
const needed = ['btree_gin', 'btree_gist']

async function checkExtensions(client: pg.Client): Promise<CheckResult[]> {
  const { rows } = await client.query<{ name: string; installed: boolean }>(
    `select name, installed_version is not null as installed from pg_available_extensions where name = any($1)`,
    [needed],
  )
  const lacking = needed.filter((name) => !rows.some((found) => found.name === name))
  if (lacking.length > 0)
    return [wrong('extensions', `not available: ${lacking.join(', ')}. Install PostgreSQL's contrib package`)]
  if (await isOnCitus(client)) {
    const started = await client.query("select to_regclass('organizations') is not null as yes")
    if (started.rows[0]?.yes && !(await isDistributed(client)))
      return [warning('extensions', 'Citus is installed, but the tables are not distributed: run taskwright migrate')]
    return [ok('extensions', `${needed.join(', ')}, and Citus`)]
  }
  return [ok('extensions', needed.join(', '))]
}

async function checkSecrets(
  client: pg.Client,
  { secretKey }: Config,
  { secretKeyFile }: Store,
): Promise<CheckResult[]> {
  const { rows: there } = await client.query<{ yes: boolean }>(
    `select exists (select from pg_attribute where attrelid = to_regclass('instance') and attname = 'secret_key_fingerprint') as yes`,
  )
  if (!there[0]?.yes) return []
  const { rows } = await client.query<{ fingerprint: Buffer | null }>(
    'select secret_key_fingerprint as fingerprint from instance limit 1',
  )
  const fingerprint = rows[0]?.fingerprint
  if (!fingerprint) return [ok('secrets', 'no secret is stored yet')]
  const key = secretKey ?? (secretKeyFile && (await readSecretKey(secretKeyFile)))
  if (key !== undefined && createSecrets(key).fingerprint.equals(fingerprint))
    return [ok('secrets', 'the key matches the secrets of webhooks')]
  return [wrong('secrets', 'the key does not match the secrets of webhooks: restore the key that encrypted them')]
}
