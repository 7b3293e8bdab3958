import type { Taskwright } from '@taskwright/client'
import { act, type Once } from '../../act/act.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Deleted, Kind } from './deleted.ts'
import { nameOf } from './saying.ts'

interface Restorable {
  restore(id: string, once: Once): PromiseLike<unknown>
  delete(id: string): PromiseLike<unknown>
}

const places: Record<Kind, (client: Taskwright) => Restorable> = {
  task: ({ tasks }) => tasks,
  subtask: ({ subtasks }) => subtasks,
  comment: ({ comments }) => comments,
  time_entry: ({ timeEntries }) => timeEntries,
  project: ({ projects }) => projects,
  workspace: ({ workspaces }) => workspaces,
  stage: ({ stages }) => stages,
  tag: ({ tags }) => tags,
  task_type: ({ taskTypes }) => taskTypes,
  member: ({ members }) => members,
  webhook: ({ webhooks }) => webhooks,
}

/** Brings something back, with what was deleted with it. Why that cannot be is told as the server says it. */
export function restore(deleted: Deleted) {
  const place = places[deleted.kind](tw())
  return act((once) => place.restore(deleted.id, once), {
    said: words.trash.restored(nameOf(deleted)),
    undo: () => place.delete(deleted.id),
  })
}
