import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { backupName } from '../../src/db/backup/backup-files.ts'
import { instanceStatement } from '../../src/db/backup/contents-of-database.ts'
import { checkedArchive } from '../../src/db/backup/reading.ts'
import { emptyDirectory } from '../support/slow/archives.ts'
import { onMigratedDatabase, outcome, serving } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'

/** The value of a metric, undefined where there is none of that name. */
async function metric(base: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${base}/metrics`)).text()
  const [, value] = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text) ?? []
  return value === undefined ? undefined : Number(value)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const waiting = async () => {
    while (!(await holds())) await wait(50)
  }
  await inTime(waiting(), 'It does not come to that')
}

/** Waits until the server has seen whether a backup is due, and made it. */
const lookedOnce = (base: string) =>
  until(async () => ((await metric(base, 'job_runs_total\\{job="backup"\\}')) ?? 0) > 0)

/** The instance that a database is, as the names of its backups tell. */
async function instanceOf({ DATABASE_URL }: { DATABASE_URL: string }): Promise<string> {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(instanceStatement.text)
  await client.end()
  return rows[0].instance
}

/** What is in a directory of one instance. */
const ofInstance = async (directory: string, instance: string) =>
  (await readdir(directory)).filter((name) => name.startsWith(`taskwright-${instance}-`)).sort()

const isWhole = (name: string) => /^taskwright-[0-9a-f]{12}-\d{8}T\d{6}Z\.tar$/.test(name)
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('with BACKUP_EVERY a server makes backups by itself, and keeps the newest', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const backups = join(directory, 'backups')
  // one that was killed left this
  await mkdir(backups)
  const left = `${backupName(await instanceOf(settings), new Date('2026-01-01'))}.1.partial`
  await writeFile(join(backups, left), 'half')
  await writeFile(join(backups, 'mine.tar'), 'mine')
  const server = await serving(t, { ...settings, BACKUP_EVERY: '1s', BACKUP_KEEP: '2', BACKUP_DIR: backups })
  const seen = new Set<string>()
  const look = async () => {
    const names = (await readdir(backups)).filter(isWhole)
    for (const name of names) seen.add(name)
    assert.ok(names.length <= 3, 'the one that was just made, and those that are kept')
    return seen.size >= 4
  }
  await until(look)
  assert.ok(((await metric(server.base, 'backup_last_size_bytes')) ?? 0) > 1_000)
  assert.ok(Date.now() / 1_000 - ((await metric(server.base, 'backup_last_timestamp_seconds')) ?? 0) < 60)
  assert.equal(await metric(server.base, 'backup_failures_total'), 0)
  assert.equal(await metric(server.base, 'backup_foreign_files'), 0)
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  const kept = (await readdir(backups)).sort()
  assert.ok(kept.length <= 4 && kept.length >= 3, kept.join())
  assert.equal(kept[0], 'mine.tar')
  for (const name of kept.slice(1)) {
    assert.ok(isWhole(name), name)
    const { checksums, contents } = await checkedArchive(join(backups, name))
    assert.ok(checksums.tables.organizations?.rows)
    assert.equal(contents.instance, await instanceOf(settings))
  }
})

test('two instances with one BACKUP_DIR each create, count and remove their own backups, and report that others are there', async (t) => {
  const [one, other, directory] = [await onMigratedDatabase(t), await onMigratedDatabase(t), await emptyDirectory(t)]
  const [instance, otherInstance] = [await instanceOf(one), await instanceOf(other)]
  assert.notEqual(instance, otherInstance)
  const foreign = [
    'taskwright-20260101T000000Z.tar',
    backupName(otherInstance, new Date('2026-01-01')),
    `${backupName(otherInstance, new Date('2026-01-02'))}.1.partial`,
  ]
  for (const name of foreign) await writeFile(join(directory, name), 'theirs')
  const settings = { BACKUP_EVERY: '1s', BACKUP_KEEP: '1', BACKUP_DIR: directory }
  const first = await serving(t, { ...one, ...settings })
  const ownSeen = new Set<string>()
  await until(async () => {
    for (const name of await ofInstance(directory, instance)) if (isWhole(name)) ownSeen.add(name)
    return ownSeen.size >= 3
  })
  assert.equal(await metric(first.base, 'backup_foreign_files'), 3)
  assert.deepEqual(await first.kill('SIGTERM'), { code: 0, signal: null })
  const own = await ofInstance(directory, instance)
  assert.deepEqual((await readdir(directory)).sort(), [...own, ...foreign].sort())
  const told = [...first.out.all, ...first.err.all].filter((line) => line.includes('another instance'))
  assert.equal(told.length, 1, told.join('\n'))
  assert.match(told[0] ?? '', /"job":"backup".*3 \(.*neither counts nor removes them/)

  // of which the newest is no reason to wait
  const second = await serving(t, { ...other, ...settings, BACKUP_EVERY: '1h' })
  await until(async () => (await ofInstance(directory, otherInstance)).some((name) => name > (foreign[2] ?? '')))
  await until(async () => ((await metric(second.base, 'backup_last_timestamp_seconds')) ?? 0) > 0)
  const [made = ''] = (await ofInstance(directory, otherInstance)).reverse()
  assert.equal(await metric(second.base, 'backup_last_size_bytes'), (await stat(join(directory, made))).size)
  assert.deepEqual(await ofInstance(directory, instance), own)
  assert.equal((await checkedArchive(join(directory, made))).contents.instance, otherInstance)
})

test('an empty or broken file does not count as a backup, and no good backup is removed for it', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const instance = await instanceOf(settings)
  const named = (minutes: number) => backupName(instance, minutesAgo(minutes))
  const [good, empty, cut, older, oldest] = [named(180), named(1), named(2), named(200), named(300)]
  assert.equal((await outcome(t, ['backup', join(directory, good)], settings)).code, 0)
  await writeFile(join(directory, empty), '')
  await copyFile(join(directory, good), join(directory, cut))
  const { size } = await stat(join(directory, good))
  await truncate(join(directory, cut), size - 2_000)
  await copyFile(join(directory, good), join(directory, older))
  await writeFile(join(directory, oldest), 'broken')
  const server = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_KEEP: '2', BACKUP_DIR: directory })
  const madeMs = async () => ((await metric(server.base, 'backup_last_timestamp_seconds')) ?? 0) * 1_000
  await until(async () => (await madeMs()) > minutesAgo(1).getTime())
  await server.kill('SIGTERM')
  const left = await readdir(directory)
  assert.deepEqual(left.filter((name) => [good, empty, cut].includes(name)).sort(), [good, empty, cut].sort())
  assert.equal(left.length, 4, left.join())
  assert.match([...server.out.all, ...server.err.all].join('\n'), /2 \(.*\) are not whole\. They count as no backup/)
})

test('a server that starts again makes the next backup when it is due, not at once', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const name = backupName(await instanceOf(settings), minutesAgo(1))
  assert.equal((await outcome(t, ['backup', join(directory, name)], settings)).code, 0)
  const server = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_DIR: directory })
  const { size } = await stat(join(directory, name))
  await until(async () => (await metric(server.base, 'backup_last_size_bytes')) === size)
  await lookedOnce(server.base)
  assert.deepEqual(await readdir(directory), [name])
})

test('a backup with a date in the future is the first to go, and replaces no other', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const ahead = backupName(await instanceOf(settings), new Date('2999-01-01'))
  assert.equal((await outcome(t, ['backup', join(directory, ahead)], settings)).code, 0)
  const first = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_KEEP: '1', BACKUP_DIR: directory })
  const madeMs = async () => ((await metric(first.base, 'backup_last_timestamp_seconds')) ?? 0) * 1_000
  await until(async () => (await madeMs()) > 0 && (await madeMs()) <= Date.now())
  await first.kill('SIGTERM')
  const made = await readdir(directory)
  assert.deepEqual([made.length, made.includes(ahead)], [1, false], made.join())

  assert.equal((await outcome(t, ['backup', join(directory, ahead)], settings)).code, 0)
  const second = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_KEEP: '2', BACKUP_DIR: directory })
  await lookedOnce(second.base)
  assert.deepEqual((await readdir(directory)).sort(), [...made, ahead].sort())
})

test('a backup that fails is counted and logged with its reason, and the server continues', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const file = join(directory, 'a-file')
  await writeFile(file, '')
  const server = await serving(t, { ...settings, BACKUP_EVERY: '1s', BACKUP_DIR: file })
  await until(async () => ((await metric(server.base, 'backup_failures_total')) ?? 0) > 0)
  assert.equal((await fetch(`${server.base}/readyz`)).status, 200)
  await server.kill('SIGTERM')
  const lines = [...server.out.all, ...server.err.all].filter((line) => line.includes('backup'))
  assert.match(lines.join('\n'), /EEXIST/)
})

test('without BACKUP_EVERY nothing is backed up, and no metric exists for it', async (t) => {
  const server = await serving(t, await onMigratedDatabase(t))
  assert.equal(await metric(server.base, 'backup_last_timestamp_seconds'), undefined)
})
