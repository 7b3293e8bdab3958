import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from '../../src/db/embedded/binaries.ts'
import { clusterIn } from '../../src/db/embedded/cluster.ts'
import { openCluster } from '../../src/db/embedded/embedded.ts'
import { ensureCluster } from '../../src/db/embedded/initdb.ts'
import type { Scope } from './afterwards.ts'
import { silent } from './cluster.ts'
import { onEmptyDirectory, serving } from './processes.ts'
import { type Api, apiOf, created } from './world.ts'

const debian = '/usr/lib/postgresql'

/** Programs of an older PostgreSQL, where this machine has some: of the newest that is older than the embedded one. */
export const olderPostgres: PostgresBinaries | undefined = (existsSync(debian) ? readdirSync(debian) : [])
  .filter((major) => Number(major) >= 15 && Number(major) < 18 && existsSync(join(debian, major, 'bin/initdb')))
  .sort()
  .map((major) => ({ bin: join(debian, major, 'bin'), major }))
  .at(-1)

/** A data directory as a Taskwright leaves it that brings an older PostgreSQL, and what the API answered there. */
export async function formerDataDir(t: Scope, binaries: PostgresBinaries) {
  const settings = await onEmptyDirectory(t)
  const cluster = await clusterIn(settings.DATA_DIR, join(settings.DATA_DIR, 'programs'), silent)
  await ensureCluster(cluster, binaries)
  const opened = await openCluster(cluster, binaries, silent)
  const { host, user, database } = opened.connection
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  const server = await serving(t, { DATABASE_URL })
  const api = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const project = await created(api.post('/projects', { name: 'Déjà vu', key: 'DV' }))
  for (let n = 1; n <= 30; n++)
    await created(api.post('/tasks', { projectId: project.id, name: `Task ${n}` }, { 'idempotency-key': `task-${n}` }))
  const answers = await answersOf(api)
  await server.kill('SIGTERM')
  await opened.stop()
  return { settings, key: server.ownersKey, projectId: String(project.id), answers }
}

/** What is asked, and answered; replays among it. */
export async function answersOf(api: Api): Promise<Record<string, string>> {
  const paths = ['/projects', '/tasks?limit=100', '/members', '/events?limit=100&after=0', '/search?q=task']
  const answers: Record<string, string> = {}
  for (const path of paths) answers[path] = (await api.get(path)).text
  return answers
}

/** A copy of a directory, with the accounts of what is in it. */
export async function copyOf(t: Scope, { DATA_DIR }: { DATA_DIR: string }) {
  const settings = await onEmptyDirectory(t)
  await promisify(execFile)('cp', ['-Rp', `${DATA_DIR}/.`, settings.DATA_DIR])
  return settings
}
