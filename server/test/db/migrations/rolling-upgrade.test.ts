import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { allMigrations, statementsOf } from '../../../src/db/migrations/released.ts'
import { refuseBesideServers, rollingUpgradeOf } from '../../../src/db/migrations/rolling-upgrade.ts'
import { afterwards } from '../../support/afterwards.ts'
import { onFreshDatabase } from '../../support/slow/processes.ts'

const read = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')

test('every migration states whether the previous version can run beside it', async () => {
  const [list, changelog] = [await read('server/migrations.beside'), await read('CHANGELOG.md')]
  const stated = [...list.matchAll(/^(\d{4}_\w+\.sql) {2}(?:yes|no), \S.*$/gm)].map(([, name = '']) => name)
  // those that were applied before it was stated; none is added to them
  assert.equal(stated.at(-1), '0060_words_within_an_organization.sql')
  const all = await allMigrations()
  assert.deepEqual(
    stated,
    all.map(({ name }) => name).filter((name) => name < '0061'),
  )
  const out = [...changelog.matchAll(/^## \[([^\]]*)\] - \d/gm)].map(([, version]) => version)
  for (const migration of all.slice(stated.length)) {
    const beside = rollingUpgradeOf(migration)
    const line = '`-- beside <the version that is out>: yes, <why>` or `no, <why>` in the comment that it begins with'
    assert.ok(beside, `${migration.name} needs a line ${line}`)
    assert.ok(out.includes(beside.version), `${migration.name} names ${beside.version}, which is not out`)
  }
})

test('the first comment of a migration says what it states of the previous version', () => {
  const script = '-- outside a transaction\n-- What for.\n-- beside 0.9.1: no, it reads the column\ndrop table one;\n'
  assert.deepEqual(rollingUpgradeOf({ script }), { version: '0.9.1', can: false, why: 'it reads the column' })
  assert.equal(rollingUpgradeOf({ script: '-- beside 0.9.1: yes. It adds.\n' })?.can, true)
  for (const other of [
    'select 1;\n-- beside 0.9.1: yes, it adds\n',
    '-- beside 0.9.1: yes or no, and why\n',
    '-- beside 0.9.1: yes, \n',
    '-- beside the last: yes, it adds\n',
  ])
    assert.equal(rollingUpgradeOf({ script: other }), undefined, other)
})

test('no index on a table of an earlier migration blocks its writers while it is built', async () => {
  const locking = (await allMigrations()).flatMap((migration) => {
    const statements = statementsOf(migration).map((statement) => statement.replace(/\s+/g, ' '))
    const made = new Set(statements.map((statement) => /^create table (?:if not exists )?(\w+)/i.exec(statement)?.[1]))
    return statements.flatMap((statement) => {
      const [, index, table] =
        /^create (?:unique )?index (?!concurrently)(.*?) on (?:only )?(\w+)/i.exec(statement) ?? []
      return index === undefined || made.has(table) ? [] : [`${migration.name}: ${index} on ${table}`]
    })
  })
  const since = locking.filter((line) => line > '0021')
  // one row for each organization, however much these hold
  assert.deepEqual(since, ['0061_deleted_organizations.sql: organizations_deleted on organizations'])
  assert.ok(locking.length > since.length)
})

test('a migration that the previous version cannot run beside is refused while a server of it is connected', async (t) => {
  const { DATABASE_URL: connectionString } = await onFreshDatabase(t)
  const connected = async (application_name: string) => {
    const client = new pg.Client({ connectionString, application_name })
    await client.connect()
    return client
  }
  const client = await connected('taskwright-migrate')
  afterwards(t, () => client.end())
  const missing = (can: string) => [
    { name: '0002_gone.sql', script: `-- beside 0.9.1: ${can}, it reads what is gone\n`, hash: '', outside: false },
  ]
  await refuseBesideServers(client, missing('no'))
  const server = await connected('taskwright-listen')
  await refuseBesideServers(client, missing('yes'))
  await assert.rejects(refuseBesideServers(client, missing('no')), {
    name: 'StartupProblem',
    message:
      'Migration 0002_gone.sql cannot run beside servers of 0.9.1 (it reads what is gone), and one is connected: ' +
      'stop all servers of this database, then start this one.',
  })
  // one that ends meanwhile is waited for
  const waiting = refuseBesideServers(client, missing('no'))
  await server.end()
  await waiting
})
