import { includable } from '../../lists/include.ts'
import { firstOf, valueOfEach } from '../../lists/parts.ts'
import { Progress, progressOf } from '../progress.ts'
import { Project } from '../project.ts'
import { membersOf, ProjectMember } from './members.ts'

/** What may be included beside a project. */
export const besideProject = includable<Project>(Project, 'A project', {
  progress: valueOfEach(Progress, nothing(), ({ db, caller, now }, ids) => progressOf(db, caller, ids, now)),
  members: firstOf({
    schema: ProjectMember,
    onPage: 1_000,
    order: 'By name',
    rest: 'Where not all of its members are here: GET /projects/{id}/members has them.',
    find: membersOf,
  }),
})

/** Of a project that was deleted a moment ago. */
function nothing(): Progress {
  const counts = { todo: 0, doing: 0, done: 0, offBoard: 0, overdue: 0 }
  return { ...counts, estimatedSeconds: 0, trackedSeconds: 0 }
}
