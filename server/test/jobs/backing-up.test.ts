import assert from 'node:assert/strict'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { checkedArchive } from '../../src/archive/reading.ts'
import { emptyDirectory } from '../support/archives.ts'
import { inTime, onMigratedDatabase, serving } from '../support/processes.ts'

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

test('with BACKUP_EVERY a server makes backups by itself, and keeps the newest', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const backups = join(directory, 'backups')
  // one that was killed left this
  await mkdir(backups)
  await writeFile(join(backups, 'taskwright-20260101T000000Z.tar.1.partial'), 'half')
  await writeFile(join(backups, 'mine.tar'), 'mine')
  const server = await serving(t, { ...settings, BACKUP_EVERY: '1s', BACKUP_KEEP: '2', BACKUP_DIR: backups })
  const seen = new Set<string>()
  const look = async () => {
    const names = (await readdir(backups)).filter((name) => /^taskwright-\d{8}T\d{6}Z\.tar$/.test(name))
    for (const name of names) seen.add(name)
    assert.ok(names.length <= 3, 'the one that was just made, and those that are kept')
    return seen.size >= 4
  }
  await until(look)
  assert.ok(((await metric(server.base, 'backup_last_size_bytes')) ?? 0) > 1_000)
  assert.ok(Date.now() / 1_000 - ((await metric(server.base, 'backup_last_timestamp_seconds')) ?? 0) < 60)
  assert.equal(await metric(server.base, 'backup_failures_total'), 0)
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  const left = (await readdir(backups)).sort()
  assert.ok(left.length <= 4 && left.length >= 3, left.join())
  assert.equal(left[0], 'mine.tar')
  for (const name of left.slice(1)) {
    assert.match(name, /^taskwright-\d{8}T\d{6}Z\.tar$/)
    assert.ok((await checkedArchive(join(backups, name))).checksums.tables.organizations?.rows)
  }
})

test('a server that starts again makes the next backup when it is due, not at once', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const name = `taskwright-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`
  await writeFile(join(directory, name), 'of a minute ago')
  const server = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_DIR: directory })
  const { size } = await stat(join(directory, name))
  await until(async () => (await metric(server.base, 'backup_last_size_bytes')) === size)
  await lookedOnce(server.base)
  assert.deepEqual(await readdir(directory), [name])
})

test('a backup that a clock of the future dated is the first to go, and stands in for none', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const ahead = 'taskwright-29990101T000000Z.tar'
  await writeFile(join(directory, ahead), 'of a clock that was wrong')
  const first = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_KEEP: '1', BACKUP_DIR: directory })
  const madeMs = async () => ((await metric(first.base, 'backup_last_timestamp_seconds')) ?? 0) * 1_000
  await until(async () => (await madeMs()) > 0 && (await madeMs()) <= Date.now())
  await first.kill('SIGTERM')
  const made = await readdir(directory)
  assert.deepEqual([made.length, made.includes(ahead)], [1, false], made.join())

  await writeFile(join(directory, ahead), 'of a clock that was wrong')
  const second = await serving(t, { ...settings, BACKUP_EVERY: '1h', BACKUP_KEEP: '2', BACKUP_DIR: directory })
  await lookedOnce(second.base)
  assert.deepEqual((await readdir(directory)).sort(), [...made, ahead].sort())
})

test('a backup that fails is counted and logged with why, and the server goes on', async (t) => {
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

test('without BACKUP_EVERY nothing is backed up, and no metric says so', async (t) => {
  const server = await serving(t, await onMigratedDatabase(t))
  assert.equal(await metric(server.base, 'backup_last_timestamp_seconds'), undefined)
})
