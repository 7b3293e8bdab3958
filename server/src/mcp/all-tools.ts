import type { Tool } from './calls/tool.ts'
import { findTasks } from './tools/find-tasks.ts'
import { listChanges } from './tools/list-changes.ts'
import { moveTask } from './tools/move-task.ts'
import { listMembers, listProjects } from './tools/projects-and-members.ts'
import { readTask } from './tools/read-task.ts'
import { report } from './tools/report.ts'
import { addComment, addSubtasks, setSubtasks } from './tools/task-parts.ts'
import { listTime, logTime, setTimer } from './tools/time.ts'
import { createTask, editTask } from './tools/write-task.ts'

/** All tools. Their order never changes, because clients cache the list that a model has read. */
export const allTools: readonly Tool[] = [
  ...[findTasks, readTask, listProjects, listMembers, listTime, report, listChanges],
  ...[createTask, editTask, moveTask, addComment, addSubtasks, setSubtasks, logTime, setTimer],
]
