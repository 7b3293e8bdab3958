import type { Random } from '../../src/commands/demo/random.ts'
import type { Mirror } from './mirror.ts'

/** A write, as a bulk takes it. */
export interface Write {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
}

// biome-ignore lint/suspicious/noExplicitAny: what a resource holds is what the test compares
type Item = Record<string, any>

/** What writes are made of: chance, and what is there. */
interface Ground {
  random: Random
  /** one of what is there; undefined where nothing is */
  some: (noun: string, which?: (item: Item) => boolean) => Item | undefined
  /** one of what was deleted */
  gone: (noun: string) => Item | undefined
  word: () => string
}

type Kind = (ground: Ground) => Write | undefined

const post = (path: string, body?: object): Write => ({ method: 'POST', path, ...(body && { body }) })
const patch = (path: string, body: object): Write => ({ method: 'PATCH', path, body })
const remove = (path: string): Write => ({ method: 'DELETE', path })

/** Of something that is there, a write. */
const of =
  (noun: string, write: (item: Item, ground: Ground) => Write | undefined): Kind =>
  (ground) => {
    const item = ground.some(noun)
    return item && write(item, ground)
  }

/** Most members of a project lead the organization, and are none of it. */
const ofMembership =
  (write: (item: Item, ground: Ground) => Write): Kind =>
  (ground) => {
    const { some } = ground
    const item = some('project_member', ({ role, grantedRole }) => role === grantedRole) ?? some('project_member')
    return item && write(item, ground)
  }

const restoring = (noun: string): Kind => {
  const path = `${noun.replace('_', '-').replace(/y$/, 'ie')}s`
  return ({ gone }) => {
    const item = gone(noun)
    return item && post(`/${path}/${item.id}/restore`)
  }
}

const priorities = ['none', 'low', 'medium', 'high', 'urgent']
const categories = ['todo', 'doing', 'done']

const labels = ({ random, some }: Ground): object => ({
  ...(random.chance(0.4) && { tagIds: [...new Set([some('tag')?.id, some('tag')?.id].filter(Boolean))] }),
  ...(random.chance(0.3) && { typeId: some('task_type')?.id ?? null }),
  ...(random.chance(0.3) && { assigneeIds: [some('member')?.id].filter(Boolean) }),
})

const long = (word: string) => `${word} `.repeat(200)

/** Each kind of write there is, with how often it is made beside the others. */
const kinds: [weight: number, kind: Kind][] = [
  [1, ({ word }) => patch('/organization', { name: word() })],
  [1, ({ random }) => patch('/organization', { settings: { timerPolicy: random.pick(['stop_previous', 'reject']) } })],

  [
    3,
    ({ word, random }) =>
      post('/members', { name: word(), email: `${word()}@example.com`, role: random.pick(['admin', 'member']) }),
  ],
  [2, of('member', ({ id }, { word }) => patch(`/members/${id}`, { name: word() }))],
  [
    2,
    of('member', ({ id }, { random }) => patch(`/members/${id}`, { role: random.pick(['owner', 'admin', 'member']) })),
  ],
  [
    1,
    of('member', ({ id }, { random }) => patch(`/members/${id}`, { status: random.pick(['active', 'deactivated']) })),
  ],
  [2, of('member', ({ id }) => remove(`/members/${id}`))],
  [2, restoring('member')],

  [2, ({ word }) => post('/projects', { name: word(), description: long(word()) })],
  [2, of('project', ({ id }, { word }) => patch(`/projects/${id}`, { name: word() }))],
  [1, of('project', ({ id }) => post(`/projects/${id}/archive`))],
  [3, of('project', ({ id }) => post(`/projects/${id}/unarchive`))],
  [1, of('project', ({ id }) => remove(`/projects/${id}`))],
  [4, restoring('project')],
  [
    5,
    of('project', ({ id }, { some, random }) =>
      post(`/projects/${id}/members`, {
        memberId: some('member')?.id,
        role: random.pick(['lead', 'contributor', 'viewer']),
      }),
    ),
  ],
  [
    3,
    ofMembership(({ projectId, memberId }, { random }) =>
      patch(`/projects/${projectId}/members/${memberId}`, { role: random.pick(['lead', 'viewer']) }),
    ),
  ],
  [2, ofMembership(({ projectId, memberId }) => remove(`/projects/${projectId}/members/${memberId}`))],

  [
    2,
    ({ word, some, random }) =>
      post('/workspaces', {
        name: word(),
        projectId: random.chance(0.5) ? null : some('project')?.id,
        stages: [word(), word()],
      }),
  ],
  [1, of('workspace', ({ id }, { word }) => patch(`/workspaces/${id}`, { description: long(word()) }))],
  [2, of('workspace', ({ id }) => remove(`/workspaces/${id}`))],
  [3, restoring('workspace')],
  [
    3,
    of('workspace', ({ id }, { word, random }) =>
      post(`/workspaces/${id}/stages`, { name: word(), category: random.pick(categories) }),
    ),
  ],
  [3, of('stage', ({ id }, { random }) => patch(`/stages/${id}`, { category: random.pick(categories) }))],
  [
    2,
    of('stage', ({ id, workspaceId }, { some }) =>
      post(`/stages/${id}/move`, { afterId: some('stage', (other) => other.workspaceId === workspaceId)?.id }),
    ),
  ],
  [2, of('stage', ({ id }) => remove(`/stages/${id}`))],
  [
    2,
    of('stage', ({ id, workspaceId }, { some }) =>
      remove(`/stages/${id}?moveTasksTo=${some('stage', (other) => other.workspaceId === workspaceId)?.id}`),
    ),
  ],
  [3, restoring('stage')],

  [2, ({ word }) => post('/task-types', { name: word() })],
  [1, of('task_type', ({ id }, { word }) => patch(`/task-types/${id}`, { name: word() }))],
  [1, of('task_type', ({ id }) => remove(`/task-types/${id}`))],
  [1, restoring('task_type')],
  [3, ({ word }) => post('/tags', { name: word() })],
  [1, of('tag', ({ id }, { word }) => patch(`/tags/${id}`, { name: word() }))],
  [2, of('tag', ({ id }) => remove(`/tags/${id}`))],
  [1, restoring('tag')],

  [
    14,
    (ground) => {
      const projectId = ground.some('project')?.id
      const stageId = ground.random.chance(0.6)
        ? ground.some('stage', (stage) => [null, projectId].includes(stage.projectId))?.id
        : undefined
      const description = ground.random.chance(0.5) ? long(ground.word()) : ground.word()
      return (
        projectId &&
        post('/tasks', { name: ground.word(), projectId, ...(stageId && { stageId }), description, ...labels(ground) })
      )
    },
  ],
  [
    8,
    of('task', ({ id }, ground) =>
      patch(`/tasks/${id}`, {
        priority: ground.random.pick(priorities),
        ...labels(ground),
        ...(ground.random.chance(0.3) && { description: long(ground.word()) }),
      }),
    ),
  ],
  [
    6,
    of('task', ({ id, projectId }, { some }) =>
      post(`/tasks/${id}/move`, { stageId: some('stage', (stage) => [null, projectId].includes(stage.projectId))?.id }),
    ),
  ],
  [
    4,
    of('task', ({ id, stageId }, { some }) =>
      post(`/tasks/${id}/move`, { beforeId: some('task', (task) => stageId !== null && task.stageId === stageId)?.id }),
    ),
  ],
  [2, of('task', ({ id }) => post(`/tasks/${id}/move`, { workspaceId: null }))],
  [4, of('task', ({ id }) => remove(`/tasks/${id}`))],
  [5, restoring('task')],

  [
    8,
    of('task', ({ id }, { word, random, some }) =>
      post(`/tasks/${id}/subtasks`, { name: word(), ...(random.chance(0.5) && { assigneeId: some('member')?.id }) }),
    ),
  ],
  [3, of('subtask', ({ id }, { word }) => patch(`/subtasks/${id}`, { name: word() }))],
  [
    3,
    of('subtask', ({ id, taskId }, { some }) =>
      post(`/subtasks/${id}/move`, { afterId: some('subtask', (other) => other.taskId === taskId)?.id }),
    ),
  ],
  [2, of('subtask', ({ id }) => post(`/subtasks/${id}/finalize`))],
  [3, of('subtask', ({ id }) => post(`/subtasks/${id}/reopen`))],
  [2, of('subtask', ({ id }) => remove(`/subtasks/${id}`))],
  [3, restoring('subtask')],

  [5, of('task', ({ id }, { word }) => post(`/tasks/${id}/comments`, { body: long(word()) }))],
  [2, of('comment', ({ id }, { word }) => patch(`/comments/${id}`, { body: word() }))],
  [2, of('comment', ({ id }) => remove(`/comments/${id}`))],
  [2, restoring('comment')],

  [
    8,
    (ground) => {
      const on = ground.random.chance(0.5)
        ? { taskId: ground.some('task')?.id }
        : { subtaskId: ground.some('subtask')?.id }
      const memberId = ground.random.chance(0.3) ? ground.some('member')?.id : undefined
      const ends = ground.random.chance(0.7) ? { durationSeconds: ground.random.between(0, 9_000) } : {}
      const { tagIds } = labels(ground) as { tagIds?: string[] }
      return post('/time-entries', { ...on, ...ends, ...(memberId && { memberId }), ...(tagIds && { tagIds }) })
    },
  ],
  [4, of('time_entry', ({ id }, { some }) => patch(`/time-entries/${id}`, { taskId: some('task')?.id }))],
  [
    3,
    of('time_entry', ({ id }, { word, random }) =>
      patch(`/time-entries/${id}`, { description: long(word()), billable: random.chance(0.5) }),
    ),
  ],
  [3, of('time_entry', ({ id }) => remove(`/time-entries/${id}`))],
  [4, restoring('time_entry')],
  [4, of('task', ({ id }) => post('/timer/start', { taskId: id }))],
  [2, () => post('/timer/stop')],

  [
    2,
    ({ word, some, random }) =>
      post('/webhooks', {
        url: `https://example.com/${word()}`,
        projectId: random.chance(0.5) ? null : some('project')?.id,
      }),
  ],
  [1, of('webhook', ({ id }, { word }) => patch(`/webhooks/${id}`, { description: long(word()) }))],
  [1, of('webhook', ({ id }) => post(`/webhooks/${id}/pause`))],
  [1, of('webhook', ({ id }) => post(`/webhooks/${id}/resume`))],
  [1, of('webhook', ({ id }) => post(`/webhooks/${id}/rotate-secret`))],
  [1, of('webhook', ({ id }) => post(`/webhooks/${id}/test`))],
  [1, of('webhook', ({ id }) => post(`/webhooks/${id}/replay`, { after: 0 }))],
  [1, of('webhook', ({ id }) => remove(`/webhooks/${id}`))],
  [2, restoring('webhook')],

  [1, of('member', ({ id }) => post(`/members/${id}/invite`))],
  [1, of('invitation', ({ id }) => remove(`/invitations/${id}`))],

  [2, of('member', ({ id }, { word }) => post('/api-keys', { name: word(), memberId: id }))],
  [1, of('api_key', ({ id }) => post(`/api-keys/${id}/rotate`))],
  [
    1,
    of('api_key', ({ id }, { random }) => remove(`/api-keys/${id}${random.chance(0.5) ? '?descendants=false' : ''}`)),
  ],
]

const makesSecret = ({ path }: Write) =>
  path.startsWith('/api-keys') || path.endsWith('/invite') || /^\/webhooks($|.*rotate)/.test(path)

/**
 * Writes of every kind, by chance, without end.
 * @param mirror what is there, as far as it is known
 * @param spared ids of what is left as it is: who writes, with what, and in which projects they are
 */
export function* randomWrites(random: Random, mirror: Mirror, spared: readonly string[]): Generator<Write> {
  let made = 0
  const pickOf = (items: Item[]) => (items.length === 0 ? undefined : random.pick(items))
  const ground: Ground = {
    random,
    some: (noun, which = () => true) =>
      pickOf(mirror.shown(noun).filter((item) => !spared.includes(item.id ?? item.memberId) && which(item))),
    gone: (noun) => pickOf(mirror.deleted(noun)),
    word: () => `w${made++}-${random.between(0, 9_999)}`,
  }
  const bag = kinds.flatMap(([weight, kind]) => Array.from({ length: weight }, () => kind))
  const one = (): Write => random.pick(bag)(ground) ?? one()
  for (;;) {
    if (random.chance(0.95)) {
      yield one()
      continue
    }
    const operations = Array.from({ length: random.between(2, 5) }, one).filter((write) => !makesSecret(write))
    yield post('/bulk', { operations })
  }
}
