import { type IncludedPart, includable } from '../../lists/include.ts'
import { itemsByIds, named, visibleByIds } from '../../lists/parts.ts'
import { NamedMember, namedMembers } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { Subtask, subtask } from '../subtask.ts'
import { Tag, tag } from '../tags/tags.ts'
import { BriefTask, tasksNamedBy } from '../task.ts'
import { TimeEntry } from '../time-entry.ts'

/** The task of a time entry, or of its subtask. */
const task: IncludedPart<TimeEntry> = {
  schema: BriefTask.nullable().meta({
    description: 'The task of the time entry. For time on a subtask, the task of that subtask.',
  }),
  needs: ['taskId', 'subtaskId'],
  async read({ db, caller }, entries) {
    const tasks = await tasksNamedBy(db, caller, [...new Set(entries.map(parentOf))])
    const texts = new Map([...tasks].map(([naming, task]) => [naming, JSON.stringify(task)]))
    return (entry) => ({ json: texts.get(parentOf(entry)) ?? 'null' })
  },
}

const parentOf = ({ taskId, subtaskId }: TimeEntry): string => taskId ?? subtaskId ?? ''

/** The parts that `include` can add to a time entry. */
export const besideTime = includable<TimeEntry>(TimeEntry, 'A time entry', {
  task,
  subtask: named(Subtask, 'subtaskId', visibleByIds(subtask)),
  project: named(BriefProject, 'projectId', visibleByIds(briefProject)),
  member: named(NamedMember, 'memberId', namedMembers),
  tags: itemsByIds(Tag, 50, 'tagIds', visibleByIds(tag)),
})
