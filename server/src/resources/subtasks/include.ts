import { includable } from '../../lists/include.ts'
import { named, seen } from '../../lists/parts.ts'
import { Member, member } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { Subtask } from '../subtask.ts'
import { BriefTask, briefTasks } from '../task.ts'

/** What may be included beside a subtask. */
export const besideSubtask = includable<Subtask>(Subtask, 'A subtask', {
  assignee: named(Member, 'assigneeId', seen(member)),
  task: named(BriefTask, 'taskId', briefTasks),
  project: named(BriefProject, 'projectId', seen(briefProject)),
})
