import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** A table with rows of organizations. */
export interface OwnTable {
  name: string
  /** columns of its primary key, in order; the first is org_id, unless it is the only one */
  key: readonly string[]
  /** columns that refer to other rows of the same table */
  namesItselfBy: readonly string[]
}

interface ErasedTable extends OwnTable {
  refersTo: readonly string[]
}

/** All such tables from the catalogue, so that none can be forgotten. Each stands before the tables that it refers to. */
export async function tablesOfOrganizations(db: Db): Promise<OwnTable[]> {
  const tables = await db.rows<ErasedTable>(sql`
    select held.relname::text as name, (
        select json_agg(attname order by place.number) from pg_index
        cross join unnest(indkey::smallint[]) with ordinality place (attribute, number)
        join pg_attribute on attrelid = indrelid and attnum = place.attribute
        where indrelid = held.oid and indisprimary) as key, (
        select coalesce(json_agg(distinct other.relname), '[]') from pg_constraint join pg_class other on other.oid = confrelid
        where conrelid = held.oid and contype = 'f' and confrelid <> held.oid) as "refersTo", (
        select coalesce(json_agg(attname), '[]') from pg_constraint
        join pg_attribute on attrelid = conrelid and attnum = any(conkey) and attname <> 'org_id'
        where conrelid = held.oid and contype = 'f' and confrelid = held.oid) as "namesItselfBy"
    from pg_class held join pg_attribute owner on owner.attrelid = held.oid and owner.attname = 'org_id'
    where held.relkind in ('r', 'p') and not held.relispartition and not owner.attisdropped
      and pg_table_is_visible(held.oid) and held.relnamespace = 'public'::regnamespace
    order by held.relname`)
  return beforeWhatTheyReferTo(tables)
}

function beforeWhatTheyReferTo(tables: readonly ErasedTable[]): OwnTable[] {
  const [sorted, left] = [[] as ErasedTable[], new Set(tables)]
  while (left.size > 0) {
    const free = [...left].filter(({ name }) => ![...left].some(({ refersTo }) => refersTo.includes(name)))
    if (free.length === 0) throw new Error(`These tables refer to each other: ${[...left].map(({ name }) => name)}`)
    for (const table of free) left.delete(table)
    sorted.push(...free)
  }
  return sorted
}
