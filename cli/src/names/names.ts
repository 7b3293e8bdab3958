import type { Kind } from '../operations/operation.ts'
import { WrongUse } from '../problems.ts'
import type { NameReader } from './name-reader.ts'
import type { NameScope } from './name-scope.ts'
import { folded, type NamedItem, pick } from './pick.ts'
import { stagesWithin } from './stages.ts'

/** The format of an id. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const projectKey = /^[A-Z][A-Z0-9]{1,9}$/
const taskKey = /^[A-Z][A-Z0-9]{1,9}-\d+$/

/**
 * Looks up ids by keys, e-mail addresses and names, with as few requests as possible.
 * @param learn gets each looked-up name, so that the output can show it
 */
export function namesOf(reading: NameReader, learn: (id: string, name: string) => void) {
  const named: Record<Exclude<Kind, 'task'>, (text: string, within: NameScope) => Promise<readonly NamedItem[]>> = {
    project: (q) => reading.all('/projects', { q, fields: 'id,key,name' }),
    member: (q) => reading.all('/members', { q, fields: 'id,name,email' }),
    tag: (q) => reading.all('/tags', { q, fields: 'id,name' }),
    type: (q) => reading.all('/task-types', { q, fields: 'id,name' }),
    async workspace(q, within) {
      const projectId = within.project === undefined ? undefined : `${await idOf('project', within.project, {})},none`
      return reading.all('/workspaces', { q, projectId, fields: 'id,name' })
    },
    stage: (_, within) => stagesWithin(reading, within, idOf),
  }

  async function find(kind: Kind, text: string, within: NameScope): Promise<NamedItem> {
    if (kind === 'task') return taskOf(text)
    // a text search would also find projects with the key in their names
    const byKey = kind === 'project' && projectKey.test(text)
    const project = byKey ? await reading.one(`/projects/${text}`, { fields: 'id,key,name' }) : undefined
    const me = kind === 'member' && text === 'me' ? (await reading.one('/me'))?.member : undefined
    return project ?? me ?? pick(kind === 'type' ? 'task type' : kind, text, await named[kind](text, within))
  }

  async function taskOf(text: string): Promise<NamedItem> {
    const key = text.toUpperCase()
    if (!taskKey.test(key)) throw new WrongUse(`'${text}' is not a task key such as WEB-12, nor an id.`)
    const task = await reading.one(`/tasks/${key}`, { fields: 'id,key,name' })
    if (!task) throw new WrongUse(`There is no task ${key}, or you cannot see it.`)
    return task
  }

  async function idOf(kind: Kind, text: string, within: NameScope): Promise<string> {
    if (uuid.test(text)) return text
    const { id, key, name } = await find(kind, text, within)
    learn(id, kind === 'project' || kind === 'task' ? (key ?? name) : name)
    return id
  }

  /** The names that contain a comma in the results of a text search, folded. */
  async function commaNames(kind: Exclude<Kind, 'task'>, text: string, within: NameScope): Promise<string[]> {
    const found = await named[kind](text, within)
    return found.filter(({ name }) => name.includes(',')).map(({ name }) => folded(name))
  }
  return { idOf, commaNames }
}
