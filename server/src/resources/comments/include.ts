import { includable } from '../../lists/include.ts'
import { named, seen } from '../../lists/parts.ts'
import { Comment } from '../comment.ts'
import { NamedMember, namedMembers } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { BriefTask, briefTasks } from '../task.ts'

/** What may be included beside a comment. */
export const besideComment = includable<Comment>(Comment, 'A comment', {
  author: named(NamedMember, 'authorId', namedMembers),
  task: named(BriefTask, 'taskId', briefTasks),
  project: named(BriefProject, 'projectId', seen(briefProject)),
})
