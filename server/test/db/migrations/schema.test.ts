import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { afterwards } from '../../support/afterwards.ts'
import { migratedDatabase } from '../../support/world.ts'

const file = new URL('../../../schema.sql', import.meta.url)

const heading = `-- The schema that all migrations make, for readers. No server reads this file.
-- Write it again: UPDATE_SCHEMA=yes npm test -- migrations/schema
`

test('server/schema.sql shows the schema that the migrations make', async (t) => {
  const { url, drop } = await migratedDatabase()
  afterwards(t, drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const schema = await schemaOf(client).finally(() => client.end())
  if (process.env.UPDATE_SCHEMA === 'yes') await writeFile(file, schema)
  const written = await readFile(file, 'utf8')
  assert.ok(written === schema, 'Run UPDATE_SCHEMA=yes npm test -- migrations/schema, and commit server/schema.sql.')
})

/** Statements that make the tables, indexes, views and functions of a database, in alphabetical order. */
async function schemaOf(client: pg.Client): Promise<string> {
  const texts = async (query: string) =>
    (await client.query<{ text: string }>(query)).rows.map(({ text }) => text.trim())
  const statements = [
    ...(await texts(functions)).map((text) => `${text};`),
    ...(await texts(tables)),
    ...(await texts(views)),
  ]
  return `${heading}\n${statements.join('\n\n')}\n`
}

const functions = `
  select pg_get_functiondef(oid) as text from pg_proc
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  order by proname`

// of one table after the other: its columns, its constraints, then its indexes that are not those of a constraint.
// PostgreSQL 18 has a constraint for each column that is not null; older ones have not
const tables = `
  select format(E'create table %I (\\n%s\\n);', relname, string_agg('  ' || line, E',\\n' order by kind, place, line)) ||
    coalesce((
      select E'\\n' || string_agg(pg_get_indexdef(indexrelid) || ';', E'\\n' order by pg_get_indexdef(indexrelid))
      from pg_index where indrelid = relation
        and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    ), '') as text
  from (
    select c.oid as relation, relname, 1 as kind, attnum as place, concat_ws(' ',
      quote_ident(attname),
      format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'collate ' || quote_ident(collname) end,
      case when attgenerated = 's' then 'generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
        else 'default ' || pg_get_expr(adbin, adrelid) end,
      case when attnotnull then 'not null' end
    ) as line
    from pg_class c
    join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
    join pg_type t on t.oid = atttypid
    left join pg_collation l on l.oid = attcollation
    left join pg_attrdef on adrelid = c.oid and adnum = attnum
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    union all
    select c.oid, relname, 2, 0, format('constraint %I %s', conname, pg_get_constraintdef(k.oid))
    from pg_class c join pg_constraint k on conrelid = c.oid and contype in ('p', 'u', 'f', 'c', 'x')
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
  ) lines
  group by relation, relname
  order by relname`

const views = `
  select format(E'create view %I as\\n%s', relname, pg_get_viewdef(oid, true)) as text
  from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by relname`
