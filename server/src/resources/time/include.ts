import { includable, type Part } from '../../lists/include.ts'
import { eachNamed, named, seen } from '../../lists/parts.ts'
import { NamedMember, namedMembers } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { Subtask, subtask } from '../subtask.ts'
import { Tag, tag } from '../tags/tags.ts'
import { BriefTask, briefTasks } from '../task.ts'
import { TimeEntry } from '../time-entry.ts'

/** The task that time is on, itself or by a subtask. */
const task: Part<TimeEntry> = {
  schema: BriefTask.nullable().meta({ description: 'Also of time on one of its subtasks.' }),
  needs: ['taskId', 'subtaskId'],
  async read({ db, caller }, entries) {
    const [taskIds, subtaskIds] = [entries.map(({ taskId }) => taskId), entries.map(({ subtaskId }) => subtaskId)]
    const found = await briefTasks(db, caller, each(taskIds), each(subtaskIds))
    const texts = new Map(found.map(({ naming, task }) => [naming, JSON.stringify(task)]))
    return ({ taskId, subtaskId }) => ({ json: texts.get(taskId ?? subtaskId ?? '') ?? 'null' })
  },
}

const each = (ids: (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** What may be included beside time. */
export const besideTime = includable<TimeEntry>(TimeEntry, 'Time', {
  task,
  subtask: named(Subtask, 'subtaskId', seen(subtask)),
  project: named(BriefProject, 'projectId', seen(briefProject)),
  member: named(NamedMember, 'memberId', namedMembers),
  tags: eachNamed(Tag, 50, 'tagIds', seen(tag)),
})
