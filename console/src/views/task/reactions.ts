import type { Event } from '@taskwright/client'
import { isNewer } from '../../live/versions.ts'
import type { OpenComment, OpenSubtask, OpenTask } from './reading.ts'

type TaskReaction = OpenTask | 'again' | undefined

/** The effect of an event on the open task. */
export function react({ type, resource, snapshot }: Event, now: OpenTask): TaskReaction {
  const [noun = '', happened = ''] = type.split('.')
  if (noun === 'task' && resource.id === now.id) return ofTask(happened, snapshot, now)
  if (noun === 'subtask' && snapshot.taskId === now.id)
    return ofList(now, 'subtasks', happened, snapshot as unknown as OpenSubtask)
  if (noun === 'comment' && snapshot.taskId === now.id) return ofComment(happened, snapshot, now)
  if (noun === 'time_entry') return isOn(now, snapshot) ? 'again' : undefined
  if (type === 'order.respaced') return resource.id === now.id ? 'again' : undefined
  return namedBy(now).has(resource.id) ? 'again' : undefined
}

function ofTask(happened: string, snapshot: Event['snapshot'], now: OpenTask): TaskReaction {
  if (happened === 'deleted') return { ...now, isDeleted: true }
  if (happened === 'restored') return 'again'
  if (typeof snapshot.version !== 'number' || snapshot.version <= now.version) return undefined
  const next = { ...now, ...snapshot } as OpenTask
  // the names of a new stage or member must be read
  return pointers.some((field) => String(next[field]) !== String(now[field])) ? 'again' : next
}

/** The fields that refer to other resources. */
export const pointers = ['workspaceId', 'stageId', 'typeId', 'assigneeIds', 'tagIds', 'projectId'] as const

function ofComment(happened: string, snapshot: Event['snapshot'], now: OpenTask): TaskReaction {
  const known = now.comments.some(({ id }) => id === snapshot.id)
  // the author must be read
  if (!known && happened !== 'deleted') return 'again'
  return ofList(now, 'comments', happened, snapshot as unknown as OpenComment)
}

/** The effect of an event on earlier comments, which were read separately. */
export function reactAmong({ type, snapshot }: Event, now: readonly OpenComment[]): readonly OpenComment[] | undefined {
  const before = type.startsWith('comment.') && now.find(({ id }) => id === snapshot.id)
  if (!before) return undefined
  if (type === 'comment.deleted') return now.filter((each) => each !== before)
  const next = { ...before, ...(snapshot as unknown as OpenComment) }
  return isNewer(next, before) ? now.map((each) => (each === before ? next : each)) : undefined
}

/** The task with one item of a list changed. */
function ofList<Name extends 'subtasks' | 'comments'>(
  now: OpenTask,
  name: Name,
  happened: string,
  item: OpenTask[Name][number],
): TaskReaction {
  const items: readonly (OpenSubtask | OpenComment)[] = now[name]
  const before = items.find(({ id }) => id === item.id)
  if (happened === 'deleted') return before ? { ...now, [name]: items.filter(({ id }) => id !== item.id) } : undefined
  if (!isNewer(item, before)) return undefined
  if ('assigneeId' in item && item.assigneeId !== null && !isKnown(now, item.assigneeId)) return 'again'
  const others = items.filter(({ id }) => id !== item.id)
  const next = before ? items.map((each) => (each === before ? { ...before, ...item } : each)) : [...others, item]
  const isOrdered = name === 'subtasks'
  return {
    ...now,
    [name]: isOrdered ? (next as OpenSubtask[]).toSorted((one, other) => one.position - other.position) : next,
  }
}

const isKnown = ({ subtaskAssignees }: OpenTask, id: string) => subtaskAssignees.some((member) => member.id === id)

const isOn = ({ id, subtasks }: OpenTask, { taskId, subtaskId }: Event['snapshot']) =>
  taskId === id || subtasks.some((subtask) => subtask.id === subtaskId)

/** The ids of all names in the panel. */
const namedBy = ({ projectId, workspaceId, stageId, typeId, assigneeIds, tagIds, createdBy, comments }: OpenTask) =>
  new Set([
    ...[projectId, workspaceId, stageId, typeId, createdBy, ...assigneeIds, ...tagIds],
    ...comments.map(({ authorId }) => authorId),
  ])
