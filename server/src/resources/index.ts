import { apiKeys } from './api-keys/api-keys.ts'
import { stages } from './board/stages.ts'
import { workspaces } from './board/workspaces.ts'
import { bulk } from './bulk/bulk.ts'
import { comments } from './comments/comments.ts'
import { events } from './events/events.ts'
import { members } from './members/members.ts'
import { organizations } from './organizations/organizations.ts'
import { projectMembers } from './projects/members.ts'
import { projects } from './projects/projects.ts'
import { subtasks } from './subtasks/subtasks.ts'
import { tags } from './tags/tags.ts'
import { taskTypes } from './task-types/task-types.ts'
import { tasks } from './tasks/tasks.ts'
import { reports } from './time/reports/time.ts'
import { timeEntries } from './time/time-entries.ts'
import { timer } from './time/timer.ts'

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
