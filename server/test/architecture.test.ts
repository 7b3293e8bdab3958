import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { startServer } from './world.ts'

/** What each room of server/src may import from the others. */
const mayImport: Record<string, readonly string[]> = {
  entry: ['entry', 'app', 'metrics', 'seed', 'jobs', 'resources', 'http', 'events', 'db'],
  app: ['metrics', 'http', 'db'],
  metrics: ['db'],
  seed: ['seed', 'resources', 'http', 'db'],
  jobs: ['jobs', 'resources', 'http', 'events', 'db'],
  resources: ['resources', 'http', 'db'],
  http: ['http', 'events', 'db'],
  events: ['events', 'db'],
  db: ['db'],
}
const mayImportTypes: Record<string, readonly string[]> = { resources: ['events'] }
const entries = [
  'main.ts',
  'cli.ts',
  'connect.ts',
  'config.ts',
  'server.ts',
  'log.ts',
  'stopping.ts',
  'workers.ts',
  'worker.ts',
  'door.ts',
  'forgetting.ts',
]

interface Import {
  file: string
  /** a path below server/src, or the name of a package */
  from: string
  ours: boolean
  typesOnly: boolean
  names: string[]
}

const folder = new URL('../src/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]))
const imports = [...texts].flatMap(([file, text]) => importsIn(file, text))

function importsIn(file: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'";=]*?)\s+from\s+)?'([^']+)'/gm)
  const calls = text.matchAll(/\b(?:import|require)\(()()['"`]([^'"`]+)/g)
  return [...statements, ...calls].map(([, type, names = '', from = '']) => ({
    file,
    from: from.startsWith('.') ? posix.join(posix.dirname(file), from) : from,
    ours: from.startsWith('.'),
    typesOnly: type !== undefined && type !== '',
    names: names.match(/\w+/g) ?? [],
  }))
}

const roomOf = (file: string) => (entries.includes(file) ? 'entry' : (/^\w+/.exec(file)?.[0] ?? file))

const shown = ({ file, from, names }: Import) => `${file} imports ${names.join(', ')} from ${from}`

test('each room of the server imports only from the rooms below it', () => {
  assert.ok(imports.length > 100)
  const wrong = imports.filter(({ file, from, ours, typesOnly }) => {
    const room = roomOf(file)
    const allowed = [...(mayImport[room] ?? []), ...(typesOnly ? (mayImportTypes[room] ?? []) : [])]
    return ours && !allowed.includes(roomOf(from))
  })
  assert.deepEqual(wrong.map(shown), [])
})

test('what is imported exists', () => {
  assert.deepEqual(imports.filter(({ ours, from }) => ours && !texts.has(from)).map(shown), [])
})

test('a resource never imports the routes of another: only their table of contents does', () => {
  const routeLists = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/^export const (\w+)[^=\n]*= \[\s*route\(/gm)].map(([, name]) => name),
  )
  const contents = imports.filter(({ file, names }) => file === 'resources/index.ts' && names.length > 0)
  assert.deepEqual(routeLists.toSorted(), contents.flatMap(({ names }) => names).toSorted())
  const wrong = imports.filter(
    ({ file, from, names }) =>
      roomOf(from) === 'resources' &&
      from !== 'resources/index.ts' &&
      file !== 'resources/index.ts' &&
      names.some((name) => routeLists.includes(name)),
  )
  assert.deepEqual(wrong.map(shown), [])
})

test('no file needs, by way of others, itself', () => {
  const needs = (file: string) =>
    imports.filter((it) => it.file === file && it.ours && !it.typesOnly).map(({ from }) => from)
  const done = new Set<string>()
  const follow = (file: string, way: string[]): void => {
    assert.ok(!way.includes(file), `cycle: ${[...way, file].join(' → ')}`)
    if (done.has(file)) return
    for (const next of needs(file)) follow(next, [...way, file])
    done.add(file)
  }
  for (const file of files) follow(file, [])
})

test('only app.ts knows fastify, only db knows the driver of the database', () => {
  const importing = (name: RegExp) =>
    imports.filter(({ from, ours, typesOnly }) => !ours && !typesOnly && name.test(from)).map(({ file }) => file)
  assert.deepEqual([...new Set(importing(/^@?fastify/))], ['app.ts'])
  assert.deepEqual([...new Set(importing(/^pg$/).map(roomOf))], ['db'])
})

test('every export has a name of its own', () => {
  const defaults = [...texts].filter(([, text]) => /^export default|\bas default\b/m.test(text))
  assert.deepEqual(
    defaults.map(([file]) => file),
    [],
  )
})

test('every table has org_id first in its primary key and in each unique and foreign key', async () => {
  const { db } = await startServer()
  const tables = await db.rows<{ name: string; key: string | null }>(sql`
    select pg_class.relname as name, pg_attribute.attname as key from pg_class
    left join pg_index on indrelid = pg_class.oid and indisprimary
    left join pg_attribute on attrelid = pg_class.oid and attnum = indkey[0]
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and relname not in ('instance', 'migrations')`)
  assert.ok(tables.length >= 15)
  assert.deepEqual(
    tables.filter(({ key }) => key !== 'org_id'),
    [],
  )
  const keys = await db.rows<{ name: string; first: string }>(sql`
    select indexrelid::regclass::text as name, attname as first from pg_index
    join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where (indisunique or indisexclusion) and indrelid::regclass::text = any(${tables.map(({ name }) => name)})
    union all
    select conrelid::regclass::text || '.' || conname, own.attname || ' → ' || other.attname from pg_constraint
    join pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and conrelid::regclass::text = any(${tables.map(({ name }) => name)})`)
  assert.ok(keys.length > 2 * tables.length)
  assert.deepEqual(
    keys.filter(({ first }) => first !== 'org_id' && first !== 'org_id → org_id'),
    [],
  )
})
