import assert from 'node:assert/strict'
import type { Api } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a resource holds is what the test compares
type Item = Record<string, any>

/** What a mirror takes of an event. */
export interface FeedEvent {
  sequence: number
  type: string
  resource: { type: string; id: string }
  changes: Item
  snapshot: Item
  createdAt: string
}

interface Kept {
  item: Item
  /** by itself; what it belongs to may be deleted besides */
  deleted: boolean
}

/** By noun, what its resources belong to: by field, the noun of that. They are hidden with it, and return with it. */
const above: Record<string, Record<string, string>> = {
  project_member: { projectId: 'project' },
  workspace: { projectId: 'project' },
  stage: { workspaceId: 'workspace' },
  task: { projectId: 'project' },
  subtask: { taskId: 'task' },
  comment: { taskId: 'task' },
  time_entry: { projectId: 'project', taskId: 'task', subtaskId: 'subtask' },
  webhook: { projectId: 'project' },
}

/** What an organization holds, as its events alone tell it: all of them, or those that one member sees. */
export class Mirror {
  readonly #ofMember: boolean
  /** of the last event that was taken */
  position = 0
  readonly #kept = new Map<string, Map<string, Kept>>()

  /** @param ofMember whether it is of a member who sees some events only, and stays in the same projects */
  constructor(ofMember = false) {
    this.#ofMember = ofMember
  }

  /** Takes all events, one after the other. */
  async follow(events: AsyncIterable<FeedEvent>): Promise<void> {
    for await (const event of events) this.take(event)
  }

  take({ sequence, type, resource, changes, snapshot, createdAt }: FeedEvent): void {
    assert.ok(this.#ofMember ? sequence > this.position : sequence === this.position + 1, 'no event is left out')
    this.position = sequence
    const [noun = '', verb = ''] = type.split('.')
    assert.equal(noun, resource.type)
    if (noun === 'project_member') {
      this.#takeMembership(verb, snapshot)
      return
    }
    if (noun === 'order') {
      this.#respace(snapshot)
      return
    }
    if (verb === 'left') {
      this.#of(noun).delete(resource.id)
      return
    }
    const known = this.#of(noun).get(resource.id)
    const comes = verb === 'created' || (noun === 'time_entry' && 'projectId' in changes)
    assert.equal(known === undefined, comes, `${type} of ${resource.id}`)
    if (verb === 'restored') this.#bringBack(noun, resource.id, createdAt)
    const deleted = verb === 'deleted' || (verb !== 'restored' && known?.deleted === true)
    this.#of(noun).set(resource.id, { item: { ...known?.item, ...snapshot }, deleted })
    if (noun === 'member' && verb === 'deleted') this.#endMemberships(resource.id)
  }

  /** What is there now of a noun, as its lists show it. */
  shown(noun: string): Item[] {
    if (noun === 'project_member') return this.#projectMembers()
    return [...this.#of(noun).values()].filter((kept) => this.#isShown(noun, kept)).map(({ item }) => item)
  }

  /** What was deleted by itself. */
  deleted(noun: string): Item[] {
    return [...this.#of(noun).values()].filter(({ deleted }) => deleted).map(({ item }) => item)
  }

  #of(noun: string): Map<string, Kept> {
    const known = this.#kept.get(noun) ?? new Map<string, Kept>()
    this.#kept.set(noun, known)
    return known
  }

  #isShown(noun: string, { item, deleted }: Kept): boolean {
    if (deleted) return false
    return Object.entries(above[noun] ?? {}).every(([field, parent]) => {
      const kept = this.#of(parent).get(item[field] ?? '')
      return item[field] === null || (kept !== undefined && this.#isShown(parent, kept))
    })
  }

  /** What is hidden with something that is restored returns under its next version; in a project all stays as it was. */
  #bringBack(noun: string, id: string, createdAt: string): void {
    if (noun === 'project') return
    for (const [below, fields] of Object.entries(above)) {
      const links = Object.keys(fields).filter((field) => fields[field] === noun)
      for (const [key, { item, deleted }] of this.#of(below)) {
        if (deleted || !links.some((field) => item[field] === id)) continue
        const updatedAt = item.updatedAt > createdAt ? item.updatedAt : createdAt
        this.#of(below).set(key, { item: { ...item, version: item.version + 1, updatedAt }, deleted })
        this.#bringBack(below, key, createdAt)
      }
    }
  }

  /** What something holds stands at new positions: the stages of a workspace, the tasks of a stage, the subtasks of a task. */
  #respace({ of, positions }: Item): void {
    const held = this.#of(of)
    for (const { id, position } of positions) {
      const kept = held.get(id) ?? assert.fail(`${id} is not known`)
      held.set(id, { ...kept, item: { ...kept.item, position } })
    }
  }

  /** The version of a membership that is shown is the sum of its own and the member's; its own, which is kept, counts its events. */
  #takeMembership(verb: string, snapshot: Item): void {
    const key = `${snapshot.projectId}/${snapshot.memberId}`
    if (verb === 'deleted') {
      this.#of('project_member').delete(key)
      return
    }
    const version = verb === 'created' ? 1 : this.#of('project_member').get(key)?.item.version + 1
    this.#of('project_member').set(key, { item: { ...snapshot, version }, deleted: false })
  }

  #endMemberships(memberId: string): void {
    for (const [key, { item }] of this.#of('project_member'))
      if (item.memberId === memberId) this.#of('project_member').delete(key)
  }

  /** Who leads the organization leads each project. */
  #projectMembers(): Item[] {
    return this.shown('project').flatMap(({ id: projectId }) =>
      this.shown('member').flatMap(({ id: memberId, name, role, version, createdAt, updatedAt }) => {
        const leads = role === 'owner' || role === 'admin'
        const own = this.#of('project_member').get(`${projectId}/${memberId}`)?.item
        if (own === undefined)
          return leads
            ? [{ memberId, projectId, name, role: 'lead', grantedRole: null, version, createdAt, updatedAt }]
            : []
        return {
          ...{ memberId, projectId, name, role: leads ? 'lead' : own.grantedRole },
          ...{ grantedRole: own.grantedRole, version: own.version + version },
          ...{ createdAt: own.createdAt, updatedAt: own.updatedAt > updatedAt ? own.updatedAt : updatedAt },
        }
      }),
    )
  }
}

/** By noun, where one of it is read; the members of a project are read by both ids. */
export const pathOf: Record<string, (item: Item) => string> = {
  organization: () => '/organization',
  member: ({ id }) => `/members/${id}`,
  api_key: ({ id }) => `/api-keys/${id}`,
  invitation: ({ id }) => `/invitations/${id}`,
  project: ({ id }) => `/projects/${id}`,
  project_member: ({ projectId, memberId }) => `/projects/${projectId}/members/${memberId}`,
  workspace: ({ id }) => `/workspaces/${id}`,
  stage: ({ id }) => `/stages/${id}`,
  task_type: ({ id }) => `/task-types/${id}`,
  tag: ({ id }) => `/tags/${id}`,
  task: ({ id }) => `/tasks/${id}`,
  subtask: ({ id }) => `/subtasks/${id}`,
  comment: ({ id }) => `/comments/${id}`,
  time_entry: ({ id }) => `/time-entries/${id}`,
  webhook: ({ id }) => `/webhooks/${id}`,
}

/** By noun, all that the lists of the API hold of it. */
export async function listed(api: Api): Promise<Record<string, Item[]>> {
  const all = async (path: string): Promise<Item[]> => {
    const items: Item[] = []
    for (;;) {
      const { status, body } = await api.get(`${path}?limit=100&offset=${items.length}`)
      assert.equal(status, 200, path)
      items.push(...body.data)
      if (items.length >= body.total) return items
    }
  }
  const following = async (path: string): Promise<Item[]> => {
    const items: Item[] = []
    for (let cursor = ''; ; ) {
      const { body } = await api.get(`${path}?limit=100${cursor}`)
      items.push(...body.data)
      if (body.pagination.nextCursor === null) return items
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
  }
  const ofEach = async (items: Item[], path: (item: Item) => string) => {
    const lists: Item[][] = []
    for (const item of items) lists.push(await all(path(item)))
    return lists.flat()
  }
  const [projects, workspaces, tasks] = [await all('/projects'), await all('/workspaces'), await following('/tasks')]
  return {
    organization: [(await api.get('/organization')).body],
    member: await all('/members'),
    api_key: await all('/api-keys'),
    project: projects,
    project_member: await ofEach(projects, ({ id }) => `/projects/${id}/members`),
    workspace: workspaces,
    stage: await ofEach(workspaces, ({ id }) => `/workspaces/${id}/stages`),
    task_type: await all('/task-types'),
    tag: await all('/tags'),
    task: tasks,
    subtask: await ofEach(tasks, ({ id }) => `/tasks/${id}/subtasks`),
    comment: await ofEach(tasks, ({ id }) => `/tasks/${id}/comments`),
    time_entry: await following('/time-entries'),
    // of who leads the organization
    invitation: (await api.get('/invitations')).status === 403 ? [] : await all('/invitations'),
    webhook: (await api.get('/webhooks')).status === 403 ? [] : await all('/webhooks'),
  }
}
