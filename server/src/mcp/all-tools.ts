import type { Tool } from './calls/tool.ts'
import { addComment } from './tools/add-comment.ts'
import { createTask } from './tools/create-task.ts'
import { editTask } from './tools/edit-task.ts'
import { findTasks } from './tools/find-tasks.ts'
import { listChanges } from './tools/list-changes.ts'
import { listMembers } from './tools/list-members.ts'
import { listProjects } from './tools/list-projects.ts'
import { listTime } from './tools/list-time.ts'
import { logTime } from './tools/log-time.ts'
import { moveTask } from './tools/move-task.ts'
import { readTask } from './tools/read-task.ts'
import { report } from './tools/report.ts'
import { setTimer } from './tools/set-timer.ts'
import { addSubtasks, setSubtasks } from './tools/subtasks.ts'

/** All tools, in the order in which they are listed: that never changes, as clients keep what a model has read. */
export const allTools: readonly Tool[] = [
  ...[findTasks, readTask, listProjects, listMembers, listTime, report, listChanges],
  ...[createTask, editTask, moveTask, addComment, addSubtasks, setSubtasks, logTime, setTimer],
]
