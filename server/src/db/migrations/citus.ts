import type pg from 'pg'

// each organization has one row here; its rows in all other tables are on the same node
const root = 'organizations'

/** Whether this database belongs to a Citus cluster. */
export async function isOnCitus(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(
    "select exists (select from pg_extension where extname = 'citus') as yes",
  )
  return rows[0]?.yes === true
}

/** Whether Citus has distributed the tables of this database over its nodes. */
export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(
    'select exists (select from pg_dist_partition where logicalrelid = to_regclass($1)) as yes',
    [root],
  )
  return rows[0]?.yes === true
}

/**
 * Distributes each remaining table of organizations, in the open transaction. Citus copies existing rows to the
 * nodes.
 * @returns the names of these tables
 */
export async function distributeTables(client: pg.ClientBase): Promise<string[]> {
  const tables = await undistributed(client)
  if (tables.length === 0) return []
  // distribute referring tables over the same connections as the tables to which they refer
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'")
  const filled: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ yes: boolean }>(`select exists (select from ${name}) as yes`)
    if (rows[0]?.yes) filled.push(name)
    const beside = name === root ? 'default' : root
    await client.query("select create_distributed_table($1, 'org_id', colocate_with => $2)", [name, beside])
  }
  // the copied rows are still on this node, where no statement sees them
  for (const name of filled.toReversed())
    await client.query('select truncate_local_data_after_distributing_table($1)', [name])
  return tables.map(({ name }) => name)
}

interface CitusTable {
  name: string
  parents: string[]
}

/** The tables that are not distributed yet, parents first. A table of the instance has no org_id, or may leave it empty. */
async function undistributed(client: pg.ClientBase): Promise<CitusTable[]> {
  const { rows } = await client.query<CitusTable>(`
    select relname as name, array(
      select confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid) as parents
    from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'org_id' and not attisdropped and attnotnull
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid)
    order by relname`)
  const inOrder = new Set<CitusTable>()
  const add = (table: CitusTable) => {
    for (const parent of rows.filter(({ name }) => table.parents.includes(name))) if (!inOrder.has(parent)) add(parent)
    inOrder.add(table)
  }
  // the root first, as all others are placed beside it even if they do not refer to it
  for (const table of rows.toSorted((one) => (one.name === root ? -1 : 0))) add(table)
  return [...inOrder]
}

/**
 * Sets for the database the settings that our connections do not bring to the nodes. A setting that somebody else has already
 * set stays.
 */
export async function setForNodes(client: pg.ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  const { rows } = await client.query<{ database: string; given: string[] }>(`
    select quote_ident(current_database()) as database, coalesce((
      select setconfig from pg_db_role_setting where setrole = 0
        and setdatabase = (select oid from pg_database where datname = current_database())), '{}') as given`)
  for (const { database, given } of rows)
    for (const [name, value] of Object.entries(settings))
      if (!given.some((one) => one.toLowerCase().startsWith(`${name}=`)))
        await client.query(`alter database ${database} set ${name} = '${value}'`)
}
