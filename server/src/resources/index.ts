import { apiKeys } from './api-keys/api-keys.ts'
import { bulk } from './bulk/bulk.ts'
import { comments } from './comments/comments.ts'
import { events } from './events/events.ts'
import { members } from './members/members.ts'
import { organizations } from './organizations/organizations.ts'
import { projectMembers } from './projects/members.ts'
import { projects } from './projects/projects.ts'
import { reports } from './reports/time.ts'
import { stages } from './stages/stages.ts'
import { subtasks } from './subtasks/subtasks.ts'
import { tags } from './tags/tags.ts'
import { taskTypes } from './task-types/task-types.ts'
import { tasks } from './tasks/tasks.ts'
import { timeEntries } from './time-entries/time-entries.ts'
import { timer } from './timer/timer.ts'
import { workspaces } from './workspaces/workspaces.ts'

/** The table of contents of the API. */
export const routes = [
  ...organizations,
  ...members,
  ...apiKeys,
  ...projects,
  ...projectMembers,
  ...workspaces,
  ...stages,
  ...taskTypes,
  ...tags,
  ...tasks,
  ...subtasks,
  ...comments,
  ...timeEntries,
  ...timer,
  ...reports,
  ...events,
  ...bulk,
]
