import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { tablesOfTheInstance } from './support/catalogue.ts'
import { type Import, importsIn, refuseCircles } from './support/imports.ts'
import { sharedServer } from './support/world.ts'

/** The layers that each layer of server/src may import, types included. */
const mayImport: Record<string, readonly string[]> = {
  'cli.ts': ['commands', 'processes'],
  commands: [
    'processes',
    'jobs',
    'sign-in',
    'mail',
    'persons',
    'oidc',
    'resources',
    'operations',
    'access',
    'events',
    'contract',
    'db',
    'config.ts',
  ],
  processes: [
    'http',
    'jobs',
    'sign-in',
    'persons',
    'resources',
    'operations',
    'lists',
    'access',
    'events',
    'db',
    'config.ts',
    'monitoring',
  ],
  'for-tools.ts': ['commands', 'openapi', 'resources', 'operations', 'lists', 'access', 'contract', 'db'],
  'config.ts': ['sign-in-config.ts', 'contract'],
  'sign-in-config.ts': [],
  monitoring: ['config.ts', 'db'],
  search: ['access', 'contract', 'db'],
  http: [
    'mcp',
    'sign-in',
    'persons',
    'oidc',
    'sign-in-config.ts',
    'openapi',
    'operations',
    'access',
    'contract',
    'db',
    'monitoring',
  ],
  mcp: ['resources', 'operations', 'access', 'contract', 'db'],
  'sign-in': [
    'mail',
    'oidc',
    'resources',
    'persons',
    'operations',
    'access',
    'events',
    'contract',
    'db',
    'sign-in-config.ts',
  ],
  oidc: ['contract', 'sign-in-config.ts'],
  mail: ['contract', 'db', 'sign-in-config.ts'],
  jobs: ['mail', 'sign-in', 'persons', 'resources', 'search', 'operations', 'access', 'events', 'contract', 'db'],
  resources: ['mail', 'persons', 'search', 'operations', 'lists', 'access', 'events', 'contract', 'db'],
  openapi: ['operations', 'access', 'events', 'contract'],
  operations: ['lists', 'access', 'events', 'contract', 'db'],
  lists: ['access', 'contract', 'db'],
  persons: ['access', 'contract', 'db'],
  access: ['contract', 'db'],
  events: ['contract', 'db'],
  contract: ['db'],
  db: [],
}

const folder = new URL('../src/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]))
const imports = [...texts].flatMap(([file, text]) => importsIn(file, text))

/** The first folder of the path, or a file outside all folders. */
const layerOf = (file: string) => file.split('/')[0] ?? file
/** The folder of a file. A file outside all folders, or an index.ts, counts as its own. */
const folderOf = (file: string) => (file.includes('/') && !file.endsWith('/index.ts') ? posix.dirname(file) : file)

const shown = ({ file, from, names }: Import) => `${file} imports ${names.join(', ')} from ${from}`

test('each layer of the server imports only from the layers below it', () => {
  assert.ok(imports.length > 100)
  const wrong = imports.filter(({ file, from, ours }) => {
    return ours && layerOf(file) !== layerOf(from) && !mayImport[layerOf(file)]?.includes(layerOf(from))
  })
  assert.deepEqual(wrong.map(shown), [])
})

test('bench and scripts import the server only through for-tools.ts, which exports only what they use', () => {
  const door = 'server/src/for-tools.ts'
  const root = new URL('../../', import.meta.url)
  const tools = ['bench', 'scripts'].flatMap((name) =>
    readdirSync(new URL(name, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file) && !file.startsWith('data/'))
      .map((file) => `${name}/${file}`),
  )
  const entering = tools
    .flatMap((file) => importsIn(file, readFileSync(new URL(file, root), 'utf8')))
    .filter(({ from }) => from.startsWith('server/src/'))
  assert.deepEqual(entering.filter(({ from }) => from !== door).map(shown), [])
  assert.deepEqual(imports.filter(({ from }) => from === 'for-tools.ts').map(shown), [])
  const namesOf = (some: Import[]) => new Set(some.flatMap(({ names }) => names.filter((name) => name !== 'type')))
  const opened = namesOf(imports.filter(({ file }) => file === 'for-tools.ts'))
  assert.deepEqual([...opened].toSorted(), [...namesOf(entering)].toSorted())
})

test('no folder imports itself through other folders, not even types', () => {
  const arrows = imports.filter(({ ours, file, from }) => ours && folderOf(file) !== folderOf(from))
  const needs = (folder: string) =>
    arrows.filter(({ file }) => folderOf(file) === folder).map(({ from }) => folderOf(from))
  refuseCircles([...new Set(files.map(folderOf))], needs)
})

test('docs/architecture.md shows each direct arrow between layers and describes each layer', () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
  const drawn = [...page.matchAll(/^ +([\w.-]+) --> (.+)$/gm)].flatMap(([, from, to = '']) =>
    to.split(' & ').map((layer) => `${from} --> ${layer}`),
  )
  const below = (layer: string): string[] => (mayImport[layer] ?? []).flatMap((next) => [next, ...below(next)])
  const wanted = Object.entries(mayImport).flatMap(([from, to]) => {
    const byWayOf = to.flatMap(below)
    return to.filter((layer) => !byWayOf.includes(layer)).map((layer) => `${from} --> ${layer}`)
  })
  assert.deepEqual(drawn.toSorted(), wanted.toSorted())
  const told = [...page.matchAll(/^\| (`.+`) \|/gm)].flatMap(([, names = '']) => names.match(/[\w.-]+/g) ?? [])
  assert.deepEqual(
    Object.keys(mayImport).filter((layer) => !told.includes(layer)),
    [],
  )
})

test('every imported file exists', () => {
  assert.deepEqual(imports.filter(({ ours, from }) => ours && !texts.has(from)).map(shown), [])
})

test('tests are in the folder of what they test, or in a folder about the whole system', () => {
  const here = new URL('.', import.meta.url)
  const tests = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const folders = new Set(tests.map((file) => posix.dirname(file)))
  const ofTheServer = new Set(files.map((file) => posix.dirname(file)))
  const others = [...folders].filter((name) => !ofTheServer.has(name)).toSorted()
  assert.deepEqual(others, ['development', 'documentation', 'faults', 'operating', 'support', 'support/slow'])
})

test('only resources/index.ts imports the routes of a resource', () => {
  const routeLists = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/^export const (\w+)[^=\n]*= \[\s*route\(/gm)].map(([, name]) => name),
  )
  const contents = texts.get('resources/index.ts') ?? ''
  const listed = [...contents.matchAll(/\{ routes: (\w+)/g)].map(([, name]) => name)
  assert.deepEqual(routeLists.toSorted(), listed.toSorted())
  const wrong = imports.filter(
    ({ file, from, names }) =>
      layerOf(from) === 'resources' &&
      from !== 'resources/index.ts' &&
      file !== 'resources/index.ts' &&
      names.some((name) => routeLists.includes(name)),
  )
  assert.deepEqual(wrong.map(shown), [])
})

/** How often each resource throws 404 itself, and why. For ids in a path or body, the operation layer does it. */
const mayBeMissing = {
  'resources/board/placement.ts': 1, // the workspace of a task may be deleted before it is read
  'resources/board/stages.ts': 2, // a stage may be deleted during the wait for its workspace; moveTasksTo names one
  'resources/organizations/organization.ts': 1, // the organization of the path, which is not the caller's
  'resources/subtasks/subtasks.ts': 1, // a subtask may be deleted during the wait for its task
  'resources/workspace-board/board.ts': 1, // the workspace of the path, looked up by the statement that reads the board
}

test('resources throw 404 themselves only in a few known places', () => {
  const places = [...texts].flatMap(([file, text]) => {
    const names = imports.filter((it) => it.file === file && it.from === 'contract/errors.ts').flatMap((it) => it.names)
    const used = names.filter((name) => name === 'orNotFound' || name === 'notFound')
    const count = used.reduce((sum, name) => sum + text.split(new RegExp(`(?<![.\\w])${name}\\(`)).length - 1, 0)
    return layerOf(file) === 'resources' && used.length > 0 ? [[file, count]] : []
  })
  assert.deepEqual(Object.fromEntries(places), mayBeMissing)
})

test('no file imports itself through other files', () => {
  refuseCircles(files, (file) => imports.filter((it) => it.file === file && it.ours).map(({ from }) => from))
})

test('only http/server.ts imports fastify, only db the driver of the database, only mcp/protocol.ts the library of the protocol', () => {
  const importing = (name: RegExp) =>
    imports.filter(({ from, ours, typesOnly }) => !ours && !typesOnly && name.test(from)).map(({ file }) => file)
  assert.deepEqual([...new Set(importing(/^@?fastify/))], ['http/server.ts'])
  assert.deepEqual([...new Set(importing(/^pg$/).map(layerOf))], ['db'])
  assert.deepEqual([...new Set(importing(/^@modelcontextprotocol/))], ['mcp/protocol.ts'])
})

test('every export has a unique name', () => {
  const defaults = [...texts].filter(([, text]) => /^export default|\bas default\b/m.test(text))
  assert.deepEqual(
    defaults.map(([file]) => file),
    [],
  )
})

/** Types with one name in two layers, and why. */
const inTwoLayers = {
  // what fastify knows of a request, and what an operation needs of it
  Request: ['http', 'operations'],
}

test('no two layers export a type of the same name', () => {
  const layersOf = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm))
      layersOf.set(name, (layersOf.get(name) ?? new Set()).add(layerOf(file)))
  }
  const twice = [...layersOf]
    .filter(([, layers]) => layers.size > 1)
    .map(([name, layers]) => [name, [...layers].toSorted()])
  assert.deepEqual(Object.fromEntries(twice), inTwoLayers)
})

test('every table of organizations has org_id first in its primary key and in each unique and foreign key', async () => {
  const { db } = await sharedServer()
  const tables = await db.rows<{ name: string; key: string | null }>(sql`
    select pg_class.relname as name, pg_attribute.attname as key from pg_class
    left join pg_index on indrelid = pg_class.oid and indisprimary
    left join pg_attribute on attrelid = pg_class.oid and attnum = indkey[0]
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and relname <> all(${tablesOfTheInstance})`)
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
