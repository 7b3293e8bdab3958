import type { Taskwright } from '@taskwright/client'
import { act, type IdempotencyOption } from '../../act/act.ts'
import { unlessChanged } from '../../act/unless-changed.ts'
import { tw } from '../../session/session.ts'
import type { Kind, TrashItem } from './deleted.ts'
import { nameOf } from './saying.ts'
import { trashWords } from './trash-words.ts'

interface Restorable {
  restore(id: string, once: IdempotencyOption): PromiseLike<{ id: string; version: number }>
  delete(id: string, unlessChanged: { ifMatch: string }): PromiseLike<unknown>
}

const places: Record<Kind, (client: Taskwright) => Restorable> = {
  task: ({ tasks }) => tasks,
  subtask: ({ subtasks }) => subtasks,
  comment: ({ comments }) => comments,
  time_entry: ({ timeEntries }) => timeEntries,
  project: ({ projects }) => projects,
  workspace: ({ workspaces }) => workspaces,
  stage: ({ stages }) => ({
    restore: (id, once) => stages.restore(id, once),
    delete: (id, unlessChanged) => stages.delete(id, {}, unlessChanged),
  }),
  tag: ({ tags }) => tags,
  task_type: ({ taskTypes }) => taskTypes,
  member: ({ members }) => members,
  webhook: ({ webhooks }) => webhooks,
}

/** Restores an item with everything that was deleted with it. On failure, shows the server's reason. */
export function restore(deleted: TrashItem) {
  const place = places[deleted.kind](tw())
  return act((once) => place.restore(deleted.id, once), {
    said: trashWords.restored(nameOf(deleted)),
    undo: (restored) => place.delete(deleted.id, unlessChanged(restored)),
  })
}
