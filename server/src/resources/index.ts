import type { TableDeclaration } from '../db/table.ts'
import { type EventNoun, type EventType, eventTypesOf } from '../events/event-type.ts'
import type { Route } from '../operations/route.ts'
import { storedKeys } from './api-keys/api-key.ts'
import { apiKeys } from './api-keys/api-keys.ts'
import { audit } from './audit/audit.ts'
import { orderEventNoun } from './board/order.ts'
import { storedStages } from './board/stage.ts'
import { stages } from './board/stages.ts'
import { storedWorkspaces, workspaces } from './board/workspaces.ts'
import { bulk } from './bulk/bulk.ts'
import { storedComments } from './comment.ts'
import { comments } from './comments/comments.ts'
import { events } from './events/events.ts'
import { storedInvitations } from './invitations/invitation.ts'
import { invitations } from './invitations/invitations.ts'
import { storedMembers } from './member.ts'
import { members } from './members/members.ts'
import { organizationEventNoun } from './organizations/organization.ts'
import { organizations } from './organizations/organizations.ts'
import { storedProjects } from './project.ts'
import { projectMemberEventNoun, projectMembers } from './projects/members.ts'
import { projects } from './projects/projects.ts'
import { search } from './search/search.ts'
import { storedSubtasks } from './subtask.ts'
import { subtasks } from './subtasks/subtasks.ts'
import { storedTags, tags } from './tags/tags.ts'
import { storedTasks } from './task.ts'
import { storedTypes, taskTypes } from './task-types/task-types.ts'
import { taskReports } from './tasks/reports/tasks.ts'
import { tasks } from './tasks/tasks.ts'
import { timeReports } from './time/reports/time.ts'
import { timeEntries } from './time/time-entries.ts'
import { timer } from './time/timer.ts'
import { storedEntries } from './time-entry.ts'
import { trash } from './trash/trash.ts'
import { deliveries } from './webhooks/deliveries.ts'
import { storedWebhooks } from './webhooks/webhook.ts'
import { webhookActions } from './webhooks/webhook-actions.ts'
import { webhooks } from './webhooks/webhooks.ts'
import { board } from './workspace-board/board.ts'

interface Content {
  routes: readonly Route[]
  table?: TableDeclaration
  /** the description of its events, if it has no table */
  told?: EventNoun
}

/** The table of contents of the API. A resource that refers to others comes after them. */
const contents: readonly Content[] = [
  { routes: organizations, told: organizationEventNoun },
  { routes: members, table: storedMembers },
  { routes: invitations, table: storedInvitations },
  { routes: apiKeys, table: storedKeys },
  { routes: projects, table: storedProjects },
  { routes: projectMembers, told: projectMemberEventNoun },
  { routes: workspaces, table: storedWorkspaces },
  { routes: stages, table: storedStages },
  { routes: [], told: orderEventNoun },
  { routes: taskTypes, table: storedTypes },
  { routes: tags, table: storedTags },
  { routes: tasks, table: storedTasks },
  { routes: board },
  { routes: subtasks, table: storedSubtasks },
  { routes: comments, table: storedComments },
  { routes: timeEntries, table: storedEntries },
  { routes: timer },
  { routes: timeReports },
  { routes: taskReports },
  { routes: search },
  { routes: events },
  { routes: trash },
  { routes: audit },
  { routes: webhooks, table: storedWebhooks },
  { routes: webhookActions },
  { routes: deliveries },
  { routes: bulk },
]

/** All operations, in that order. */
export const routes: readonly Route[] = contents.flatMap(({ routes }) => routes)

/** The tables of all resources, in that order. */
export const tables: readonly TableDeclaration[] = contents.flatMap(({ table }) => table ?? [])

/** All types of events, in that order. */
export const eventTypes: readonly EventType[] = eventTypesOf(contents.flatMap(({ table, told = table }) => told ?? []))
