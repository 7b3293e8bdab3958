import type { CopyTransaction } from './copy-transaction.ts'

/**
 * Turns off the check of foreign keys in this transaction, as row by row it nearly doubles the time of copying.
 * `checkReferences` checks them all at the end. Needs a superuser, as in the embedded PostgreSQL. Unique keys and check
 * constraints still hold. It does nothing on Citus, whose nodes would not get the setting.
 * @returns whether the caller must call `checkReferences`
 */
export async function postponeReferences(tx: CopyTransaction): Promise<boolean> {
  const [row] = await tx.query<{ allowed: boolean }>(
    `select has_parameter_privilege('session_replication_role', 'set')
       and not exists (select from pg_extension where extname = 'citus') as allowed`,
  )
  if (!row?.allowed) return false
  await tx.query('set local session_replication_role = replica')
  return true
}

/**
 * Checks the foreign keys. The caller must analyze the tables first: without statistics the planner chooses a nested loop for a
 * million rows.
 * @throws Error if a row of the organization in one of these tables refers to a missing row
 */
export async function checkReferences(tx: CopyTransaction, orgId: string, tables: readonly string[]): Promise<void> {
  const byChild = new Map<string, Reference[]>()
  for (const reference of await referencesOf(tx, tables)) {
    byChild.set(reference.child, [...(byChild.get(reference.child) ?? []), reference])
  }
  for (const [child, references] of byChild) {
    // one pass over the table for all its references
    const [broken] = await tx.query<{ name: string }>(
      `select case ${references.map(({ name }, at) => `when ${lost(references, at)} then '${name}'`).join(' ')} end as name
       from ${child} child ${references.map(joined).join(' ')}
       where child.org_id = $1 and (${references.map((_, at) => lost(references, at)).join(' or ')}) limit 1`,
      [orgId],
    )
    if (broken) throw new Error(`A row breaks ${broken.name} of ${child}`)
  }
}

function joined({ parent, childColumns, parentColumns }: Reference, at: number): string {
  const same = childColumns
    .map((column, place) => `parent${at}.${parentColumns[place]} = child.${column}`)
    .join(' and ')
  return `left join ${parent} parent${at} on parent${at}.org_id = $1 and ${same}`
}

const lost = (references: readonly Reference[], at: number) =>
  `(${references[at]?.childColumns.map((column) => `child.${column} is not null`).join(' and ')} and parent${at}.org_id is null)`

interface Reference {
  name: string
  child: string
  parent: string
  childColumns: string[]
  parentColumns: string[]
}

const referencesOf = (tx: CopyTransaction, tables: readonly string[]) =>
  tx.query<Reference & Record<string, unknown>>(
    `select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
       array(select quote_ident(attname) from unnest(conkey) with ordinality as key (number, place)
         join pg_attribute on attrelid = conrelid and attnum = number order by place) as "childColumns",
       array(select quote_ident(attname) from unnest(confkey) with ordinality as key (number, place)
         join pg_attribute on attrelid = confrelid and attnum = number order by place) as "parentColumns"
     from pg_constraint where contype = 'f' and conrelid = any($1::text[]::regclass[]) order by child, name`,
    [tables],
  )
