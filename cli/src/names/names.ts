import type { Kind } from '../operations/operation.ts'
import { WrongUse } from '../problems.ts'
import { type Named, pick } from './pick.ts'
import type { Reading } from './reading.ts'
import { stagesWithin } from './stages.ts'
import type { Within } from './within.ts'

/** What an id looks like. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const projectKey = /^[A-Z][A-Z0-9]{1,9}$/
const taskKey = /^[A-Z][A-Z0-9]{1,9}-\d+$/

/**
 * The ids of what people name by keys, e-mail addresses and names, with as few requests as it takes.
 * @param learn is told of each that was looked up, so that it can be shown by its name
 */
export function namesOf(reading: Reading, learn: (id: string, name: string) => void) {
  const find: Record<Kind, (text: string, within: Within) => Promise<Named>> = {
    async project(text) {
      // a search for the key finds all that hold it in their names too
      const named = projectKey.test(text)
        ? await reading.one(`/projects/${text}`, { fields: 'id,key,name' })
        : undefined
      return named ?? pick('project', text, await reading.all('/projects', { q: text, fields: 'id,key,name' }))
    },
    async task(text) {
      const key = text.toUpperCase()
      if (!taskKey.test(key))
        throw new WrongUse(`A task goes by its key, such as WEB-12, or its id; '${text}' is neither.`)
      const task = await reading.one(`/tasks/${key}`, { fields: 'id,key,name' })
      if (!task) throw new WrongUse(`There is no task ${key}, or you cannot see it.`)
      return task
    },
    async member(text) {
      if (text === 'me') return (await reading.one('/me'))?.member ?? pick('member', text, [])
      return pick('member', text, await reading.all('/members', { q: text, fields: 'id,name,email' }))
    },
    tag: async (text) => pick('tag', text, await reading.all('/tags', { q: text, fields: 'id,name' })),
    type: async (text) => pick('task type', text, await reading.all('/task-types', { q: text, fields: 'id,name' })),
    async workspace(text, within) {
      const projectId = within.project === undefined ? undefined : `${await idOf('project', within.project, {})},none`
      return pick('workspace', text, await reading.all('/workspaces', { q: text, projectId, fields: 'id,name' }))
    },
    stage: async (text, within) => pick('stage', text, await stagesWithin(reading, within, idOf)),
  }

  async function idOf(kind: Kind, text: string, within: Within): Promise<string> {
    if (uuid.test(text)) return text
    const { id, key, name } = await find[kind](text, within)
    learn(id, kind === 'project' || kind === 'task' ? (key ?? name) : name)
    return id
  }
  return { idOf }
}
