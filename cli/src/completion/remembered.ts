import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Taskwright } from '../client.ts'
import { readingBy } from '../names/name-reader.ts'
import type { NameScope } from '../names/name-scope.ts'
import { namesOf } from '../names/names.ts'
import { stagesWithin } from '../names/stages.ts'
import type { Kind } from '../operations/operation.ts'
import { clientOf, connectionOf } from '../sign-in/connection.ts'
import { folderOf } from '../sign-in/profiles.ts'
import type { Terminal } from '../terminal.ts'
import type { Candidate } from './candidate.ts'

const freshMs = 60_000
const keptMs = 24 * 3_600_000
/** The user waits for completion after Tab, so it gives up soon. */
const patience = { timeoutMs: 1_500, retries: 0 }

/**
 * The names of a kind of resource, read at most once a minute. While the server is unreachable, it returns the previous names.
 * @param args the typed words: they limit the stages to a project, workspace or task
 */
export async function namesFor(kind: Kind, args: readonly string[], terminal: Terminal): Promise<Candidate[]> {
  const connection = await connectionOf(terminal, valueIn(args, 'profile'))
  const within = kind === 'stage' ? withinOf(args) : {}
  const question = JSON.stringify([connection.url, connection.key, kind, within])
  const folder = folderOf(terminal.env, 'XDG_CACHE_HOME', '.cache')
  const file = join(folder, `${createHash('sha256').update(question).digest('hex').slice(0, 32)}.json`)
  const kept = await keptIn(file)
  if (kept && kept.ageMs < freshMs) return kept.candidates
  try {
    const candidates = await ask[kind](clientOf(connection, terminal), within)
    await keep(folder, file, candidates).catch(() => {})
    return candidates
  } catch {
    return kept?.candidates ?? []
  }
}

const ask: Record<Kind, (tw: Taskwright, within: NameScope) => Promise<Candidate[]>> = {
  project: async (tw) => (await some(tw, '/projects', { status: 'active', fields: 'key,name' })).map(keyed),
  task: async (tw) => (await some(tw, '/tasks', { assigneeId: 'me', completed: false, fields: 'key,name' })).map(keyed),
  member: async (tw) => [
    { text: 'me' },
    ...(await some(tw, '/members', { fields: 'name,email' })).map(({ email, name }) => ({
      text: email ?? '',
      about: name,
    })),
  ],
  workspace: async (tw) => (await some(tw, '/workspaces', { fields: 'name' })).map(({ name }) => ({ text: name })),
  type: async (tw) => (await some(tw, '/task-types', { fields: 'name' })).map(({ name }) => ({ text: name })),
  tag: async (tw) => (await some(tw, '/tags', { fields: 'name' })).map(({ name }) => ({ text: name })),
  async stage(tw, within) {
    const reading = readingBy(tw, patience)
    const stages = await stagesWithin(reading, within, namesOf(reading, () => {}).idOf)
    return [...new Set(stages.map(({ name }) => name))].map((text) => ({ text }))
  },
}

interface RememberedItem {
  name: string
  key?: string
  email?: string
}

const keyed = ({ key = '', name }: RememberedItem) => ({ text: key, about: name })

async function some(tw: Taskwright, path: string, query: object): Promise<RememberedItem[]> {
  const page = await tw.request('GET', path, { query: { limit: 100, ...query }, ...patience })
  return (page as { data: RememberedItem[] }).data
}

function valueIn(args: readonly string[], name: string): string | undefined {
  const inline = args.find((word) => word.startsWith(`--${name}=`))
  const at = args.indexOf(`--${name}`)
  return inline?.slice(name.length + 3) ?? (at < 0 ? undefined : args[at + 1])
}

function withinOf(args: readonly string[]): NameScope {
  const given = { project: valueIn(args, 'project'), workspace: valueIn(args, 'workspace') }
  const task = args.find((word) => /^[a-z][a-z0-9]{1,9}-\d+$/i.test(word))
  return Object.fromEntries(Object.entries({ ...given, task }).filter(([, text]) => text !== undefined))
}

async function keptIn(file: string): Promise<{ ageMs: number; candidates: Candidate[] } | undefined> {
  try {
    const { mtimeMs } = await stat(file)
    return { ageMs: Date.now() - mtimeMs, candidates: JSON.parse(await readFile(file, 'utf8')) }
  } catch {
    return undefined
  }
}

async function keep(folder: string, file: string, candidates: readonly Candidate[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, JSON.stringify(candidates), { mode: 0o600 })
  for (const name of await readdir(folder)) {
    const old = join(folder, name)
    if (name.endsWith('.json') && Date.now() - (await stat(old)).mtimeMs > keptMs) await rm(old, { force: true })
  }
}
