// made from the table of routes by `npm run generate`

import type {
  ApiKey,
  Comment,
  Delivery,
  EventFilter,
  Invitation,
  Member,
  Organization,
  Project,
  ProjectMember,
  Stage,
  Subtask,
  Tag,
  Task,
  TaskType,
  TimeEntry,
  Webhook,
  Workspace,
} from './schemas.ts'

/** What `include` takes of this. */
export type MePart = 'timer' | 'eventsHead' | 'projectRoles'

/** What `include` takes of this. */
export type MemberPart = 'projects'

/** What `include` takes of this. */
export type ProjectPart = 'progress' | 'members'

/** What `include` takes of this. */
export type StagePart = 'taskCount'

/** What `include` takes of this. */
export type TaskPart =
  | 'assignees'
  | 'tags'
  | 'subtasks'
  | 'trackedSeconds'
  | 'project'
  | 'workspace'
  | 'stage'
  | 'type'
  | 'creator'
  | 'subtaskAssignees'
  | 'comments'

/** What `include` takes of this. */
export type SubtaskPart = 'assignee' | 'task' | 'project'

/** What `include` takes of this. */
export type CommentPart = 'author' | 'task' | 'project'

/** What `include` takes of this. */
export type TimeEntryPart = 'task' | 'subtask' | 'project' | 'member' | 'tags'

/** What `include` takes of this. */
export type PastEventPart = 'member'

/** What `include` takes of this. */
export type AuditEntryPart = 'member'

/** What `include` takes of this. */
export type WebhookPart = 'progress'

/** What `organizations.create` sends. */
export type OrganizationsCreateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  owner: {
    /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
    name: string
    /** Unique in the organization. Stored in lower case. */
    email: string
  }
}

/** What `organization.get` asks for. */
export interface OrganizationGetQuery<
  Fields extends readonly (keyof Organization)[] = readonly (keyof Organization)[],
> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `organization.update` sends. */
export type OrganizationUpdateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name?: string | undefined
  /** IANA time zone, such as `Europe/Berlin`. */
  timezone?: string | undefined
  weekStart?: 'monday' | 'saturday' | 'sunday' | undefined
  settings?:
    | {
        /** The effect on a running timer when the member starts another one. */
        timerPolicy?: 'stop_previous' | 'reject' | undefined
        /** Whether the time entries of a member may overlap. */
        overlapPolicy?: 'allow' | 'reject' | undefined
        /**
         * Nobody can change time before this day.
         *
         * As `2026-01-31`.
         */
        timeLockedBefore?: string | null | undefined
      }
    | undefined
}

/** What `organization.delete` asks for. */
export interface OrganizationDeleteQuery {
  /** The name of the organization, as a protection against mistakes. Case and accents do not matter. */
  name: string
}

/** What `me.get` asks for. */
export interface MeGetQuery<Include extends readonly MePart[] = readonly MePart[]> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
}

/** What `members.list` asks for. */
export interface MembersListQuery<
  Include extends readonly MemberPart[] = readonly MemberPart[],
  Fields extends readonly (keyof Member)[] = readonly (keyof Member)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /**
   * Finds names by the beginnings of their words: `an ex` finds Ann Example. Case, accents and order do not matter.
   * Also finds e-mail addresses by their beginnings.
   */
  q?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `members.create` sends. */
export type MembersCreateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** Unique in the organization. Stored in lower case. */
  email: string
  role?: 'owner' | 'admin' | 'member' | undefined
  /** IANA time zone. Null: the time zone of the organization. */
  timezone?: string | null | undefined
  /** Whether to invite the member as well, as `POST /members/{id}/invite` does. Default: false. */
  invite?: boolean | undefined
}

/** What `members.get` asks for. */
export interface MembersGetQuery<
  Include extends readonly MemberPart[] = readonly MemberPart[],
  Fields extends readonly (keyof Member)[] = readonly (keyof Member)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `members.update` sends. */
export type MembersUpdateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name?: string | undefined
  /** Unique in the organization. Stored in lower case. */
  email?: string | undefined
  role?: 'owner' | 'admin' | 'member' | undefined
  /** IANA time zone. Null: the time zone of the organization. */
  timezone?: string | null | undefined
  /** The API keys of a deactivated member do not work. */
  status?: 'active' | 'deactivated' | undefined
}

/** What `invitations.list` asks for. */
export interface InvitationsListQuery<Fields extends readonly (keyof Invitation)[] = readonly (keyof Invitation)[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** Only invitations for these members. Up to 50 values: repeat the parameter or separate the values with commas. */
  memberId?: string | readonly string[] | undefined
  /** open: somebody can still accept it. accepted: the member joined. expired: nobody accepted it in time. */
  state?: 'open' | 'accepted' | 'expired' | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `invitations.get` asks for. */
export interface InvitationsGetQuery<Fields extends readonly (keyof Invitation)[] = readonly (keyof Invitation)[]> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `apiKeys.list` asks for. */
export interface ApiKeysListQuery<Fields extends readonly (keyof ApiKey)[] = readonly (keyof ApiKey)[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /**
   * Only keys of these members. `me` stands for you. Up to 50 values: repeat the parameter or separate the values
   * with commas.
   */
  memberId?: string | 'me' | readonly (string | 'me')[] | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `apiKeys.create` sends. */
export type ApiKeysCreateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The member that the key is for. Default: you. Only owners and admins can create keys for other members. */
  memberId?: string | undefined
  /** The permissions of the key. They never exceed the role of its member. */
  scopes?: readonly ('read' | 'write')[] | undefined
  /**
   * When the key expires, not later than the key you use. Default: together with that key. Null: never.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  expiresAt?: string | null | undefined
}

/** What `apiKeys.get` asks for. */
export interface ApiKeysGetQuery<Fields extends readonly (keyof ApiKey)[] = readonly (keyof ApiKey)[]> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `apiKeys.rotate` sends. */
export type ApiKeysRotateBody = {
  /** How many hours the old key still works. Default: 24. For the key you use, at least 1. */
  overlapHours?: number | undefined
  /**
   * When the new key expires, not later than the key you use. By default, it gets the same lifetime as the old key,
   * but never outlives the key you use. Null: never.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  expiresAt?: string | null | undefined
}

/** What `apiKeys.delete` asks for. */
export interface ApiKeysDeleteQuery {
  /** Whether to also revoke the keys that were created with this key. Default: true. */
  descendants?: boolean | undefined
}

/** What `projects.list` asks for. */
export interface ProjectsListQuery<
  Include extends readonly ProjectPart[] = readonly ProjectPart[],
  Fields extends readonly (keyof Project)[] = readonly (keyof Project)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /**
   * Only projects that one of these members was added to. `me` stands for you. Up to 50 values: repeat the parameter
   * or separate the values with commas.
   */
  memberId?: string | 'me' | readonly (string | 'me')[] | undefined
  /** Only projects with this status. */
  status?: 'active' | 'archived' | undefined
  /** Only projects with this text in the name or the key. Case does not matter. */
  q?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `projects.create` sends. */
export type ProjectsCreateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The start of the keys of its tasks, such as WEB-12. Unique in the organization. Cannot be changed. */
  key?: string | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  /** As `2026-01-31`. */
  startDate?: string | null | undefined
  /** As `2026-01-31`. */
  dueDate?: string | null | undefined
}

/** What `projects.get` asks for. */
export interface ProjectsGetQuery<
  Include extends readonly ProjectPart[] = readonly ProjectPart[],
  Fields extends readonly (keyof Project)[] = readonly (keyof Project)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `projects.update` sends. */
export type ProjectsUpdateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name?: string | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  /** As `2026-01-31`. */
  startDate?: string | null | undefined
  /** As `2026-01-31`. */
  dueDate?: string | null | undefined
}

/** What `projects.members.list` asks for. */
export interface ProjectsMembersListQuery<
  Fields extends readonly (keyof ProjectMember)[] = readonly (keyof ProjectMember)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `projects.members.add` sends. */
export type ProjectsMembersAddBody = {
  memberId: string
  /** Owners and admins of the organization always lead the project, no matter which role they were given. */
  role: 'lead' | 'contributor' | 'viewer'
}

/** What `projects.members.get` asks for. */
export interface ProjectsMembersGetQuery<
  Fields extends readonly (keyof ProjectMember)[] = readonly (keyof ProjectMember)[],
> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `projects.members.update` sends. */
export type ProjectsMembersUpdateBody = {
  /** Owners and admins of the organization always lead the project, no matter which role they were given. */
  role?: 'lead' | 'contributor' | 'viewer' | undefined
}

/** What `workspaces.list` asks for. */
export interface WorkspacesListQuery<Fields extends readonly (keyof Workspace)[] = readonly (keyof Workspace)[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /**
   * A project, or `none` for workspaces of the whole organization. Up to 50 values: repeat the parameter or separate
   * the values with commas. An item matches if it has one of them.
   */
  projectId?: string | 'none' | readonly (string | 'none')[] | undefined
  /** Only workspaces with this text in the name. Case and accents do not matter. */
  q?: string | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `workspaces.create` sends. */
export type WorkspacesCreateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The project of the workspace. Null: all projects of the organization can use it. It cannot be changed. */
  projectId?: string | null | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  /** The names of the first stages, in order. Without them, the workspace has no stages. */
  stages?: readonly string[] | undefined
}

/** What `workspaces.get` asks for. */
export interface WorkspacesGetQuery<Fields extends readonly (keyof Workspace)[] = readonly (keyof Workspace)[]> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `workspaces.update` sends. */
export type WorkspacesUpdateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name?: string | undefined
  description?: string | null | undefined
  color?: string | null | undefined
}

/** What `stages.list` asks for. */
export interface StagesListQuery<
  Include extends readonly StagePart[] = readonly StagePart[],
  Fields extends readonly (keyof Stage)[] = readonly (keyof Stage)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `stages.create` sends. */
export type StagesCreateBody = {
  /** Unique in the workspace. Case and accents do not matter. */
  name: string
  /** Tasks in a stage of the category `done` are completed. */
  category?: 'todo' | 'doing' | 'done' | undefined
  color?: string | null | undefined
  /** The maximum number of tasks in the stage. Null: no limit. */
  wipLimit?: number | null | undefined
}

/** What `stages.get` asks for. */
export interface StagesGetQuery<
  Include extends readonly StagePart[] = readonly StagePart[],
  Fields extends readonly (keyof Stage)[] = readonly (keyof Stage)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `stages.update` sends. */
export type StagesUpdateBody = {
  /** Unique in the workspace. Case and accents do not matter. */
  name?: string | undefined
  /** Tasks in a stage of the category `done` are completed. */
  category?: 'todo' | 'doing' | 'done' | undefined
  color?: string | null | undefined
  /** The maximum number of tasks in the stage. Null: no limit. */
  wipLimit?: number | null | undefined
}

/** What `stages.move` sends. */
export type StagesMoveBody = {
  /** The item to put it directly before. */
  beforeId?: string | undefined
  /** The item to put it directly after. */
  afterId?: string | undefined
} & ({ beforeId: string; afterId?: undefined } | { afterId: string; beforeId?: undefined })

/** What `stages.delete` asks for. */
export interface StagesDeleteQuery {
  /**
   * Another stage of the same workspace, which takes the tasks. This works for up to 9,999 tasks. If there are more,
   * move some of them first.
   */
  moveTasksTo?: string | undefined
}

/** What `taskTypes.list` asks for. */
export interface TaskTypesListQuery<Fields extends readonly (keyof TaskType)[] = readonly (keyof TaskType)[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** Finds names by the beginnings of their words: `an ex` finds Ann Example. Case, accents and order do not matter. */
  q?: string | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `taskTypes.create` sends. */
export type TaskTypesCreateBody = {
  /** Unique in the organization. Case and accents do not matter. */
  name: string
  color?: string | null | undefined
  icon?: string | null | undefined
}

/** What `taskTypes.get` asks for. */
export interface TaskTypesGetQuery<Fields extends readonly (keyof TaskType)[] = readonly (keyof TaskType)[]> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `taskTypes.update` sends. */
export type TaskTypesUpdateBody = {
  /** Unique in the organization. Case and accents do not matter. */
  name?: string | undefined
  color?: string | null | undefined
  icon?: string | null | undefined
}

/** What `tags.list` asks for. */
export interface TagsListQuery<Fields extends readonly (keyof Tag)[] = readonly (keyof Tag)[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** Finds names by the beginnings of their words: `an ex` finds Ann Example. Case, accents and order do not matter. */
  q?: string | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `tags.create` sends. */
export type TagsCreateBody = {
  /** Unique in the organization. Case and accents do not matter. */
  name: string
  color?: string | null | undefined
}

/** What `tags.get` asks for. */
export interface TagsGetQuery<Fields extends readonly (keyof Tag)[] = readonly (keyof Tag)[]> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `tags.update` sends. */
export type TagsUpdateBody = {
  /** Unique in the organization. Case and accents do not matter. */
  name?: string | undefined
  color?: string | null | undefined
}

/** What `tasks.list` asks for. */
export interface TasksListQuery<
  Include extends readonly TaskPart[] = readonly TaskPart[],
  Fields extends readonly (keyof Task)[] = readonly (keyof Task)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
  /**
   * One of createdAt, updatedAt, dueDate, priority, completedAt, position, relevance. Put `-` before it for
   * descending order. Default: -createdAt. Items without a value come last in both directions. Sorting by position
   * needs exactly one `stageId` or one `workspaceId`. Priorities ascend from none to urgent. Sorting by relevance
   * needs `q`, and puts the best match first. If you sort by relevance and more than 2000 tasks match, the list has
   * only the newest 2000. They were created at or after `pagination.rankedSince`. A cursor keeps the order that it
   * was created with.
   */
  sort?:
    | 'createdAt'
    | '-createdAt'
    | 'updatedAt'
    | '-updatedAt'
    | 'dueDate'
    | '-dueDate'
    | 'priority'
    | '-priority'
    | 'completedAt'
    | '-completedAt'
    | 'position'
    | '-position'
    | 'relevance'
    | '-relevance'
    | undefined
  /**
   * Returns only the items with these ids. Ids that do not exist, or that you cannot see, are left out of the
   * response. Up to 100 values: repeat the parameter or separate the values with commas.
   */
  id?: string | readonly string[] | undefined
  /** Only tasks of these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * A workspace, or `none` for tasks without a workspace. Up to 50 values: repeat the parameter or separate the
   * values with commas. An item matches if it has one of them.
   */
  workspaceId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * A stage, or `none` for tasks without a stage. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  stageId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Only tasks in stages with these categories. Up to 3 values: repeat the parameter or separate the values with
   * commas.
   */
  stageCategory?: 'todo' | 'doing' | 'done' | readonly ('todo' | 'doing' | 'done')[] | undefined
  /**
   * A task type, or `none` for tasks without a type. After a task type with very many tasks is deleted, it can take
   * some minutes until all these tasks match `none`. Up to 50 values: repeat the parameter or separate the values
   * with commas. An item matches if it has one of them.
   */
  typeId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * A member, `me`, or `none` for tasks without an assignee. After a member with very many tasks is removed, it can
   * take some minutes until all these tasks match `none`. Up to 50 values: repeat the parameter or separate the
   * values with commas. An item matches if it has one of them.
   */
  assigneeId?: string | 'me' | 'none' | readonly (string | 'me' | 'none')[] | undefined
  /**
   * The member who created the task, or `me`. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  createdBy?: string | 'me' | readonly (string | 'me')[] | undefined
  /**
   * Up to 10 values: repeat the parameter or separate the values with commas. A task matches if it has all of these
   * tags.
   */
  tagId?: string | readonly string[] | undefined
  /**
   * Up to 50 values: repeat the parameter or separate the values with commas. A task matches if it has one of these
   * tags.
   */
  anyTagId?: string | readonly string[] | undefined
  /** Only tasks with these priorities. Up to 5 values: repeat the parameter or separate the values with commas. */
  priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | 'urgent'
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    | undefined
  /** `true` finds only completed tasks, `false` only the others. */
  completed?: boolean | undefined
  /**
   * The due date, or `none` for tasks without one. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  dueDate?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Tasks that are due before this day.
   *
   * As `2026-01-31`.
   */
  dueBefore?: string | undefined
  /**
   * Tasks that are due on or after this day.
   *
   * As `2026-01-31`.
   */
  dueAfter?: string | undefined
  /**
   * Tasks that were created before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdBefore?: string | undefined
  /**
   * Tasks that were created at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdAfter?: string | undefined
  /**
   * Tasks that were updated at or after this date-time. The time comes from the server that made the change, and
   * server clocks can differ. To follow changes, send a time a few minutes before your last request. Or read `GET
   * /events`, which misses no change.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  updatedAfter?: string | undefined
  /**
   * Words in the name or the description, or the key of a task. Case and accents do not matter. Write `"…"` for a
   * phrase, and `-` before a word to exclude it. Write the word `or` between alternatives, up to eight.
   */
  q?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `tasks.create` sends. */
export type TasksCreateBody = {
  workspaceId?: string | null | undefined
  /** A task in a workspace is always in one of its stages. */
  stageId?: string | null | undefined
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The text, in Markdown. */
  description?: string | null | undefined
  typeId?: string | null | undefined
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The members who do the task. Responses sort them by id. */
  assigneeIds?: readonly string[] | undefined
  /** The tags of the task. Responses sort them by id. */
  tagIds?: readonly string[] | undefined
  /** As `2026-01-31`. */
  startDate?: string | null | undefined
  /** As `2026-01-31`. */
  dueDate?: string | null | undefined
  estimateSeconds?: number | null | undefined
  /** The project of the task. It cannot be changed. */
  projectId: string
}

/** What `tasks.get` asks for. */
export interface TasksGetQuery<
  Include extends readonly TaskPart[] = readonly TaskPart[],
  Fields extends readonly (keyof Task)[] = readonly (keyof Task)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `tasks.update` sends. */
export type TasksUpdateBody = {
  workspaceId?: string | null | undefined
  /** A task in a workspace is always in one of its stages. */
  stageId?: string | null | undefined
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name?: string | undefined
  /** The text, in Markdown. */
  description?: string | null | undefined
  typeId?: string | null | undefined
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** The members who do the task. Responses sort them by id. */
  assigneeIds?: readonly string[] | undefined
  /** The tags of the task. Responses sort them by id. */
  tagIds?: readonly string[] | undefined
  /** As `2026-01-31`. */
  startDate?: string | null | undefined
  /** As `2026-01-31`. */
  dueDate?: string | null | undefined
  estimateSeconds?: number | null | undefined
}

/** What `tasks.move` sends. */
export type TasksMoveBody = {
  workspaceId?: string | null | undefined
  /** A task in a workspace is always in one of its stages. */
  stageId?: string | null | undefined
  /** The item to put it directly before. */
  beforeId?: string | undefined
  /** The item to put it directly after. */
  afterId?: string | undefined
} & ({ beforeId?: undefined } | { afterId?: undefined })

/** What `boards.get` asks for. */
export interface BoardsGetQuery<
  Include extends readonly TaskPart[] = readonly TaskPart[],
  Fields extends readonly (keyof Task)[] = readonly (keyof Task)[],
> {
  /** The maximum number of tasks to return for each stage. Default: 50. */
  perStage?: number | undefined
  /** Only tasks of these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * A stage, or `none` for tasks without a stage. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  stageId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Only tasks in stages with these categories. Up to 3 values: repeat the parameter or separate the values with
   * commas.
   */
  stageCategory?: 'todo' | 'doing' | 'done' | readonly ('todo' | 'doing' | 'done')[] | undefined
  /**
   * A task type, or `none` for tasks without a type. After a task type with very many tasks is deleted, it can take
   * some minutes until all these tasks match `none`. Up to 50 values: repeat the parameter or separate the values
   * with commas. An item matches if it has one of them.
   */
  typeId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * A member, `me`, or `none` for tasks without an assignee. After a member with very many tasks is removed, it can
   * take some minutes until all these tasks match `none`. Up to 50 values: repeat the parameter or separate the
   * values with commas. An item matches if it has one of them.
   */
  assigneeId?: string | 'me' | 'none' | readonly (string | 'me' | 'none')[] | undefined
  /**
   * The member who created the task, or `me`. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  createdBy?: string | 'me' | readonly (string | 'me')[] | undefined
  /**
   * Up to 10 values: repeat the parameter or separate the values with commas. A task matches if it has all of these
   * tags.
   */
  tagId?: string | readonly string[] | undefined
  /**
   * Up to 50 values: repeat the parameter or separate the values with commas. A task matches if it has one of these
   * tags.
   */
  anyTagId?: string | readonly string[] | undefined
  /** Only tasks with these priorities. Up to 5 values: repeat the parameter or separate the values with commas. */
  priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | 'urgent'
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    | undefined
  /** `true` finds only completed tasks, `false` only the others. */
  completed?: boolean | undefined
  /**
   * The due date, or `none` for tasks without one. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  dueDate?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Tasks that are due before this day.
   *
   * As `2026-01-31`.
   */
  dueBefore?: string | undefined
  /**
   * Tasks that are due on or after this day.
   *
   * As `2026-01-31`.
   */
  dueAfter?: string | undefined
  /**
   * Tasks that were created before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdBefore?: string | undefined
  /**
   * Tasks that were created at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdAfter?: string | undefined
  /**
   * Tasks that were updated at or after this date-time. The time comes from the server that made the change, and
   * server clocks can differ. To follow changes, send a time a few minutes before your last request. Or read `GET
   * /events`, which misses no change.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  updatedAfter?: string | undefined
  /**
   * Words in the name or the description, or the key of a task. Case and accents do not matter. Write `"…"` for a
   * phrase, and `-` before a word to exclude it. Write the word `or` between alternatives, up to eight.
   */
  q?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `tasks.subtasks.list` asks for. */
export interface TasksSubtasksListQuery<
  Include extends readonly SubtaskPart[] = readonly SubtaskPart[],
  Fields extends readonly (keyof Subtask)[] = readonly (keyof Subtask)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `subtasks.create` sends. */
export type SubtasksCreateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  assigneeId?: string | null | undefined
}

/** What `subtasks.list` asks for. */
export interface SubtasksListQuery<
  Include extends readonly SubtaskPart[] = readonly SubtaskPart[],
  Fields extends readonly (keyof Subtask)[] = readonly (keyof Subtask)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
  /**
   * One of createdAt, finalizedAt. Put `-` before it for descending order. Default: -createdAt. Items without a
   * value come last in both directions. A cursor keeps the order that it was created with.
   */
  sort?: 'createdAt' | '-createdAt' | 'finalizedAt' | '-finalizedAt' | undefined
  /**
   * Returns only the items with these ids. Ids that do not exist, or that you cannot see, are left out of the
   * response. Up to 100 values: repeat the parameter or separate the values with commas.
   */
  id?: string | readonly string[] | undefined
  /** Only subtasks of these tasks. Up to 50 values: repeat the parameter or separate the values with commas. */
  taskId?: string | readonly string[] | undefined
  /** Only subtasks in these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * A member, `me`, or `none` for subtasks without an assignee. After a member with very many subtasks is removed,
   * it can take some minutes until all these subtasks match `none`. Up to 50 values: repeat the parameter or
   * separate the values with commas. An item matches if it has one of them.
   */
  assigneeId?: string | 'me' | 'none' | readonly (string | 'me' | 'none')[] | undefined
  /** `true` finds only finalized subtasks, `false` only the others. */
  finalized?: boolean | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `subtasks.get` asks for. */
export interface SubtasksGetQuery<
  Include extends readonly SubtaskPart[] = readonly SubtaskPart[],
  Fields extends readonly (keyof Subtask)[] = readonly (keyof Subtask)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `subtasks.update` sends. */
export type SubtasksUpdateBody = {
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name?: string | undefined
  assigneeId?: string | null | undefined
}

/** What `subtasks.move` sends. */
export type SubtasksMoveBody = {
  /** The item to put it directly before. */
  beforeId?: string | undefined
  /** The item to put it directly after. */
  afterId?: string | undefined
} & ({ beforeId: string; afterId?: undefined } | { afterId: string; beforeId?: undefined })

/** What `tasks.comments.list` asks for. */
export interface TasksCommentsListQuery<
  Include extends readonly CommentPart[] = readonly CommentPart[],
  Fields extends readonly (keyof Comment)[] = readonly (keyof Comment)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `comments.create` sends. */
export type CommentsCreateBody = {
  /** The text, in Markdown. */
  body: string
}

/** What `comments.list` asks for. */
export interface CommentsListQuery<
  Include extends readonly CommentPart[] = readonly CommentPart[],
  Fields extends readonly (keyof Comment)[] = readonly (keyof Comment)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
  /**
   * One of createdAt. Put `-` before it for descending order. Default: -createdAt. A cursor keeps the order that it
   * was created with.
   */
  sort?: 'createdAt' | '-createdAt' | undefined
  /**
   * Returns only the items with these ids. Ids that do not exist, or that you cannot see, are left out of the
   * response. Up to 100 values: repeat the parameter or separate the values with commas.
   */
  id?: string | readonly string[] | undefined
  /** Only comments on these tasks. Up to 50 values: repeat the parameter or separate the values with commas. */
  taskId?: string | readonly string[] | undefined
  /** Only comments in these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * The author: a member, or `me`. Up to 50 values: repeat the parameter or separate the values with commas. An item
   * matches if it has one of them.
   */
  authorId?: string | 'me' | readonly (string | 'me')[] | undefined
  /**
   * Comments that were created at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  since?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `comments.get` asks for. */
export interface CommentsGetQuery<
  Include extends readonly CommentPart[] = readonly CommentPart[],
  Fields extends readonly (keyof Comment)[] = readonly (keyof Comment)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `comments.update` sends. */
export type CommentsUpdateBody = {
  /** The text, in Markdown. */
  body?: string | undefined
}

/** What `timeEntries.list` asks for. */
export interface TimeEntriesListQuery<
  Include extends readonly TimeEntryPart[] = readonly TimeEntryPart[],
  Fields extends readonly (keyof TimeEntry)[] = readonly (keyof TimeEntry)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
  /**
   * One of startedAt, createdAt, updatedAt. Put `-` before it for descending order. Default: -startedAt. A cursor
   * keeps the order that it was created with.
   */
  sort?: 'startedAt' | '-startedAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /**
   * Returns only the items with these ids. Ids that do not exist, or that you cannot see, are left out of the
   * response. Up to 100 values: repeat the parameter or separate the values with commas.
   */
  id?: string | readonly string[] | undefined
  /**
   * The member who worked, or `me`. Up to 50 values: repeat the parameter or separate the values with commas. An
   * item matches if it has one of them.
   */
  memberId?: string | 'me' | readonly (string | 'me')[] | undefined
  /** Only time in these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * Time on these tasks and on their subtasks. With `subtaskId=none`: only on the tasks themselves. Up to 50 values:
   * repeat the parameter or separate the values with commas. An item matches if it has one of them.
   */
  taskId?: string | readonly string[] | undefined
  /**
   * A subtask, or `none` for time on a task itself. Up to 50 values: repeat the parameter or separate the values
   * with commas. An item matches if it has one of them.
   */
  subtaskId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Up to 10 values: repeat the parameter or separate the values with commas. A time entry matches if it has all of
   * these tags.
   */
  tagId?: string | readonly string[] | undefined
  /**
   * Up to 50 values: repeat the parameter or separate the values with commas. A time entry matches if it has one of
   * these tags.
   */
  anyTagId?: string | readonly string[] | undefined
  /** `true` finds only billable time entries, `false` only the others. */
  billable?: boolean | undefined
  /** `true` finds only running time entries, `false` only the others. */
  running?: boolean | undefined
  /**
   * Time entries that started at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  startedAfter?: string | undefined
  /**
   * Time entries that started before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  startedBefore?: string | undefined
  /**
   * Time entries that were updated at or after this date-time. The time comes from the server that made the change,
   * and server clocks can differ. To follow changes, send a time a few minutes before your last request.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  updatedAfter?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `timeEntries.create` sends. */
export type TimeEntriesCreateBody = {
  taskId?: string | null | undefined
  subtaskId?: string | null | undefined
  /** As `2026-01-31T09:30:00+01:00`. */
  startedAt?: string | undefined
  /** As `2026-01-31T09:30:00+01:00`. */
  endedAt?: string | null | undefined
  /** You can send it instead of `endedAt`. */
  durationSeconds?: number | undefined
  description?: string | null | undefined
  billable?: boolean | undefined
  /** The tags of the time entry. Responses sort them by id. */
  tagIds?: readonly string[] | undefined
  /** Default: you. Only leads of the project can record time for another member. */
  memberId?: string | undefined
} & ({ taskId: string; subtaskId?: null | undefined } | { subtaskId: string; taskId?: null | undefined }) &
  ({ endedAt?: null | undefined } | { durationSeconds?: undefined })

/** What `timeEntries.get` asks for. */
export interface TimeEntriesGetQuery<
  Include extends readonly TimeEntryPart[] = readonly TimeEntryPart[],
  Fields extends readonly (keyof TimeEntry)[] = readonly (keyof TimeEntry)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `timeEntries.update` sends. */
export type TimeEntriesUpdateBody = {
  taskId?: string | null | undefined
  subtaskId?: string | null | undefined
  /** As `2026-01-31T09:30:00+01:00`. */
  startedAt?: string | undefined
  /** As `2026-01-31T09:30:00+01:00`. */
  endedAt?: string | null | undefined
  /** You can send it instead of `endedAt`. */
  durationSeconds?: number | undefined
  description?: string | null | undefined
  billable?: boolean | undefined
  /** The tags of the time entry. Responses sort them by id. */
  tagIds?: readonly string[] | undefined
} & (
  | { taskId: string; subtaskId?: null | undefined }
  | { subtaskId: string; taskId?: null | undefined }
  | { taskId?: undefined; subtaskId?: undefined }
) &
  ({ endedAt?: null | undefined } | { durationSeconds?: undefined })

/** What `timer.get` asks for. */
export interface TimerGetQuery<Include extends readonly TimeEntryPart[] = readonly TimeEntryPart[]> {
  /** What to add to each item. */
  include?: Include | undefined
}

/** What `timer.start` sends. */
export type TimerStartBody = {
  taskId?: string | null | undefined
  subtaskId?: string | null | undefined
  description?: string | null | undefined
  billable?: boolean | undefined
  /** The tags of the time entry. Responses sort them by id. */
  tagIds?: readonly string[] | undefined
} & ({ taskId: string; subtaskId?: null | undefined } | { subtaskId: string; taskId?: null | undefined })

/** What `timer.stop` sends. */
export type TimerStopBody = {
  /**
   * Default: now. It cannot be before the start or in the future.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  endedAt?: string | undefined
}

/** What `reports.time` asks for. */
export interface ReportsTimeQuery {
  /** At most 3 of project, member, task, type, tag, billable, day, week, month, separated by commas. */
  groupBy: readonly ('project' | 'member' | 'task' | 'type' | 'tag' | 'billable' | 'day' | 'week' | 'month')[]
  /**
   * The member who worked, or `me`. Up to 50 values: repeat the parameter or separate the values with commas. An
   * item matches if it has one of them.
   */
  memberId?: string | 'me' | readonly (string | 'me')[] | undefined
  /** Only time in these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * Time on these tasks and on their subtasks. With `subtaskId=none`: only on the tasks themselves. Up to 50 values:
   * repeat the parameter or separate the values with commas. An item matches if it has one of them.
   */
  taskId?: string | readonly string[] | undefined
  /**
   * A subtask, or `none` for time on a task itself. Up to 50 values: repeat the parameter or separate the values
   * with commas. An item matches if it has one of them.
   */
  subtaskId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Up to 10 values: repeat the parameter or separate the values with commas. A time entry matches if it has all of
   * these tags.
   */
  tagId?: string | readonly string[] | undefined
  /**
   * Up to 50 values: repeat the parameter or separate the values with commas. A time entry matches if it has one of
   * these tags.
   */
  anyTagId?: string | readonly string[] | undefined
  /** `true` finds only billable time entries, `false` only the others. */
  billable?: boolean | undefined
  /** `true` finds only running time entries, `false` only the others. */
  running?: boolean | undefined
  /**
   * Time entries that started at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  startedAfter?: string | undefined
  /**
   * Time entries that started before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  startedBefore?: string | undefined
  /**
   * Time entries that were updated at or after this date-time. The time comes from the server that made the change,
   * and server clocks can differ. To follow changes, send a time a few minutes before your last request.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  updatedAfter?: string | undefined
}

/** What `reports.tasks` asks for. */
export interface ReportsTasksQuery {
  /**
   * At most 3 of project, workspace, stage, stageCategory, assignee, type, tag, priority, createdBy, createdDay,
   * createdWeek, createdMonth, completedDay, completedWeek, completedMonth, dueDay, dueWeek, dueMonth, separated by
   * commas.
   */
  groupBy: readonly (
    | 'project'
    | 'workspace'
    | 'stage'
    | 'stageCategory'
    | 'assignee'
    | 'type'
    | 'tag'
    | 'priority'
    | 'createdBy'
    | 'createdDay'
    | 'createdWeek'
    | 'createdMonth'
    | 'completedDay'
    | 'completedWeek'
    | 'completedMonth'
    | 'dueDay'
    | 'dueWeek'
    | 'dueMonth'
  )[]
  /** Only tasks of these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /**
   * A workspace, or `none` for tasks without a workspace. Up to 50 values: repeat the parameter or separate the
   * values with commas. An item matches if it has one of them.
   */
  workspaceId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * A stage, or `none` for tasks without a stage. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  stageId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Only tasks in stages with these categories. Up to 3 values: repeat the parameter or separate the values with
   * commas.
   */
  stageCategory?: 'todo' | 'doing' | 'done' | readonly ('todo' | 'doing' | 'done')[] | undefined
  /**
   * A task type, or `none` for tasks without a type. After a task type with very many tasks is deleted, it can take
   * some minutes until all these tasks match `none`. Up to 50 values: repeat the parameter or separate the values
   * with commas. An item matches if it has one of them.
   */
  typeId?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * A member, `me`, or `none` for tasks without an assignee. After a member with very many tasks is removed, it can
   * take some minutes until all these tasks match `none`. Up to 50 values: repeat the parameter or separate the
   * values with commas. An item matches if it has one of them.
   */
  assigneeId?: string | 'me' | 'none' | readonly (string | 'me' | 'none')[] | undefined
  /**
   * The member who created the task, or `me`. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  createdBy?: string | 'me' | readonly (string | 'me')[] | undefined
  /**
   * Up to 10 values: repeat the parameter or separate the values with commas. A task matches if it has all of these
   * tags.
   */
  tagId?: string | readonly string[] | undefined
  /**
   * Up to 50 values: repeat the parameter or separate the values with commas. A task matches if it has one of these
   * tags.
   */
  anyTagId?: string | readonly string[] | undefined
  /** Only tasks with these priorities. Up to 5 values: repeat the parameter or separate the values with commas. */
  priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | 'urgent'
    | readonly ('none' | 'low' | 'medium' | 'high' | 'urgent')[]
    | undefined
  /** `true` finds only completed tasks, `false` only the others. */
  completed?: boolean | undefined
  /**
   * The due date, or `none` for tasks without one. Up to 50 values: repeat the parameter or separate the values with
   * commas. An item matches if it has one of them.
   */
  dueDate?: string | 'none' | readonly (string | 'none')[] | undefined
  /**
   * Tasks that are due before this day.
   *
   * As `2026-01-31`.
   */
  dueBefore?: string | undefined
  /**
   * Tasks that are due on or after this day.
   *
   * As `2026-01-31`.
   */
  dueAfter?: string | undefined
  /**
   * Tasks that were created before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdBefore?: string | undefined
  /**
   * Tasks that were created at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdAfter?: string | undefined
  /**
   * Tasks that were updated at or after this date-time. The time comes from the server that made the change, and
   * server clocks can differ. To follow changes, send a time a few minutes before your last request. Or read `GET
   * /events`, which misses no change.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  updatedAfter?: string | undefined
  /**
   * Words in the name or the description, or the key of a task. Case and accents do not matter. Write `"…"` for a
   * phrase, and `-` before a word to exclude it. Write the word `or` between alternatives, up to eight.
   */
  q?: string | undefined
}

/** What `search` asks for. */
export interface SearchQuery {
  /**
   * The words to search for. Case and accents do not matter. Write `"…"` for a phrase, `-` before a word to exclude
   * it, and `*` after the beginning of a word. Write the word `or` between alternatives, up to eight. Each
   * alternative must contain a word to search for.
   */
  q: string
  /** The kinds to search. Default: all. Up to 5 values: repeat the parameter or separate the values with commas. */
  kinds?:
    | 'task'
    | 'project'
    | 'subtask'
    | 'comment'
    | 'time_entry'
    | readonly ('task' | 'project' | 'subtask' | 'comment' | 'time_entry')[]
    | undefined
  /** Searches only in these projects. Up to 50 values: repeat the parameter or separate the values with commas. */
  projectId?: string | readonly string[] | undefined
  /** The maximum number of results of each kind. Default: 5. */
  limit?: number | undefined
  /**
   * The `nextCursor` of one group. It continues the results of that kind. Send only that kind as `kinds`. The cursor
   * is opaque: do not change it.
   */
  cursor?: string | undefined
}

/** What `events.list` asks for. */
export interface EventsListQuery {
  /**
   * Only events of these types. `task.*` stands for all events of tasks. Up to 20 values: repeat the parameter or
   * separate the values with commas.
   */
  type?: EventFilter | readonly EventFilter[] | undefined
  /** Only events of this resource. */
  resourceId?: string | undefined
  /** Only events of this project and everything in it. */
  projectId?: string | undefined
  /** Only events of changes that this member made. */
  actorId?: string | undefined
  /**
   * Only events of this task, its subtasks, its comments and the time entries on them, even if these were deleted.
   * Not for a stream.
   */
  taskId?: string | undefined
  /**
   * Returns events after this sequence. Default: all stored events. To continue later, send the sequence of the last
   * event that you received.
   */
  after?: number | undefined
  /**
   * Starts with the events at or after this date-time, by the clock of the server that made the change. Ignored with
   * `after` or `cursor`, and for a stream.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  since?: string | undefined
  /** `sequence` lists the oldest events first, `-sequence` the newest. Default: `sequence`. Not for a stream. */
  sort?: 'sequence' | '-sequence' | undefined
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
}

/** What `tasks.history.list` asks for. */
export interface TasksHistoryListQuery<Include extends readonly PastEventPart[] = readonly PastEventPart[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** What to add to each item. */
  include?: Include | undefined
}

/** What `trash.list` asks for. */
export interface TrashListQuery {
  /** Only items of these kinds. Up to 11 values: repeat the parameter or separate the values with commas. */
  kind?:
    | 'task'
    | 'subtask'
    | 'comment'
    | 'time_entry'
    | 'project'
    | 'workspace'
    | 'stage'
    | 'tag'
    | 'task_type'
    | 'member'
    | 'webhook'
    | readonly (
        | 'task'
        | 'subtask'
        | 'comment'
        | 'time_entry'
        | 'project'
        | 'workspace'
        | 'stage'
        | 'tag'
        | 'task_type'
        | 'member'
        | 'webhook'
      )[]
    | undefined
  /**
   * Returns only the items with these ids. Ids that do not exist, or that you cannot see, are left out of the
   * response. Up to 100 values: repeat the parameter or separate the values with commas.
   */
  id?: string | readonly string[] | undefined
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
}

/** What `audit.list` asks for. */
export interface AuditListQuery<Include extends readonly AuditEntryPart[] = readonly AuditEntryPart[]> {
  /**
   * Only actions of these types. `api_key.*` stands for all actions on API keys. Up to 20 values: repeat the
   * parameter or separate the values with commas.
   */
  type?:
    | 'organization.*'
    | 'member.*'
    | 'invitation.*'
    | 'api_key.*'
    | 'project.*'
    | 'project_member.*'
    | 'workspace.*'
    | 'stage.*'
    | 'task_type.*'
    | 'tag.*'
    | 'task.*'
    | 'subtask.*'
    | 'comment.*'
    | 'time_entry.*'
    | 'webhook.*'
    | 'organization.created'
    | 'organization.updated'
    | 'organization.deleted'
    | 'organization.restored'
    | 'member.created'
    | 'member.updated'
    | 'member.joined'
    | 'member.sign_in_changed'
    | 'member.deleted'
    | 'member.restored'
    | 'member.erased'
    | 'invitation.deleted'
    | 'api_key.created'
    | 'api_key.updated'
    | 'api_key.revoked'
    | 'project.deleted'
    | 'project.restored'
    | 'project_member.created'
    | 'project_member.updated'
    | 'project_member.deleted'
    | 'workspace.deleted'
    | 'workspace.restored'
    | 'stage.deleted'
    | 'stage.restored'
    | 'task_type.deleted'
    | 'task_type.restored'
    | 'tag.deleted'
    | 'tag.restored'
    | 'task.deleted'
    | 'task.restored'
    | 'subtask.deleted'
    | 'subtask.restored'
    | 'comment.deleted'
    | 'comment.restored'
    | 'time_entry.deleted'
    | 'time_entry.restored'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.paused'
    | 'webhook.resumed'
    | 'webhook.disabled'
    | 'webhook.secret_rotated'
    | 'webhook.test'
    | 'webhook.replayed'
    | 'webhook.redelivered'
    | 'webhook.deleted'
    | 'webhook.restored'
    | readonly (
        | 'organization.*'
        | 'member.*'
        | 'invitation.*'
        | 'api_key.*'
        | 'project.*'
        | 'project_member.*'
        | 'workspace.*'
        | 'stage.*'
        | 'task_type.*'
        | 'tag.*'
        | 'task.*'
        | 'subtask.*'
        | 'comment.*'
        | 'time_entry.*'
        | 'webhook.*'
        | 'organization.created'
        | 'organization.updated'
        | 'organization.deleted'
        | 'organization.restored'
        | 'member.created'
        | 'member.updated'
        | 'member.joined'
        | 'member.sign_in_changed'
        | 'member.deleted'
        | 'member.restored'
        | 'member.erased'
        | 'invitation.deleted'
        | 'api_key.created'
        | 'api_key.updated'
        | 'api_key.revoked'
        | 'project.deleted'
        | 'project.restored'
        | 'project_member.created'
        | 'project_member.updated'
        | 'project_member.deleted'
        | 'workspace.deleted'
        | 'workspace.restored'
        | 'stage.deleted'
        | 'stage.restored'
        | 'task_type.deleted'
        | 'task_type.restored'
        | 'tag.deleted'
        | 'tag.restored'
        | 'task.deleted'
        | 'task.restored'
        | 'subtask.deleted'
        | 'subtask.restored'
        | 'comment.deleted'
        | 'comment.restored'
        | 'time_entry.deleted'
        | 'time_entry.restored'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.paused'
        | 'webhook.resumed'
        | 'webhook.disabled'
        | 'webhook.secret_rotated'
        | 'webhook.test'
        | 'webhook.replayed'
        | 'webhook.redelivered'
        | 'webhook.deleted'
        | 'webhook.restored'
      )[]
    | undefined
  /** Only actions of this member. */
  actorId?: string | undefined
  /**
   * Only actions at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdAfter?: string | undefined
  /**
   * Only actions before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  createdBefore?: string | undefined
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
  /** What to add to each item. */
  include?: Include | undefined
}

/** What `audit.refusedSignIns.list` asks for. */
export interface AuditRefusedSignInsListQuery {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** Only this key. */
  keyId?: string | undefined
  /**
   * Only hours that began at or after this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  hourAfter?: string | undefined
  /**
   * Only hours that began before this date-time.
   *
   * As `2026-01-31T09:30:00+01:00`.
   */
  hourBefore?: string | undefined
}

/** What `webhooks.list` asks for. */
export interface WebhooksListQuery<
  Include extends readonly WebhookPart[] = readonly WebhookPart[],
  Fields extends readonly (keyof Webhook)[] = readonly (keyof Webhook)[],
> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The number of items to skip. Default: 0. */
  offset?: number | undefined
  /** Only webhooks of this project. */
  projectId?: string | undefined
  /**
   * Unless it is active, the webhook receives nothing. New events wait until you resume it, for as long as events
   * are stored.
   */
  status?: 'active' | 'paused' | 'disabled' | undefined
  /** What to add to each item. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `webhooks.create` sends. */
export type WebhooksCreateBody = {
  /**
   * The URL that receives events by POST. It must be public and use https. The operator can allow others with
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url: string
  /** The event types to send, such as `task.created`, or `task.*` for all events of tasks. Empty: all types. */
  types?: readonly EventFilter[] | undefined
  /** Only events of this project. Null: of the whole organization. */
  projectId?: string | null | undefined
  description?: string | null | undefined
}

/** What `webhooks.get` asks for. */
export interface WebhooksGetQuery<
  Include extends readonly WebhookPart[] = readonly WebhookPart[],
  Fields extends readonly (keyof Webhook)[] = readonly (keyof Webhook)[],
> {
  /** What to add; then there is no ETag. */
  include?: Include | undefined
  /** Only these fields, and what `include` adds. */
  fields?: Fields | undefined
}

/** What `webhooks.update` sends. */
export type WebhooksUpdateBody = {
  /**
   * The URL that receives events by POST. It must be public and use https. The operator can allow others with
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url?: string | undefined
  /** The event types to send, such as `task.created`, or `task.*` for all events of tasks. Empty: all types. */
  types?: readonly EventFilter[] | undefined
  /** Only events of this project. Null: of the whole organization. */
  projectId?: string | null | undefined
  description?: string | null | undefined
}

/** What `webhooks.rotateSecret` sends. */
export type WebhooksRotateSecretBody = {
  /** How many hours deliveries are also signed with the old secret. Default: 24. */
  overlapHours?: number | undefined
}

/** What `webhooks.replay` sends. */
export type WebhooksReplayBody = {
  /** A sequence: events after it are sent again. 0: all events from the first one. */
  after: number
}

/** What `webhooks.deliveries.list` asks for. */
export interface WebhooksDeliveriesListQuery<Fields extends readonly (keyof Delivery)[] = readonly (keyof Delivery)[]> {
  /** The maximum number of items to return. Default: 50. */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. It is opaque: do not change it. */
  cursor?: string | undefined
  /** pending: the server tries again. failed: the server no longer tries, unless you redeliver it. */
  status?: 'pending' | 'delivered' | 'failed' | undefined
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `deliveries.get` asks for. */
export interface DeliveriesGetQuery<Fields extends readonly (keyof Delivery)[] = readonly (keyof Delivery)[]> {
  /** Only these fields. */
  fields?: Fields | undefined
}

/** What `bulk` sends. */
export type BulkBody = {
  operations: readonly {
    method: 'POST' | 'PATCH' | 'DELETE'
    /** The path below `/api/v1`. */
    path: string
    /** The body that the operation takes. */
    body?: Record<string, unknown> | undefined
    /** The ETag that the resource must still have. */
    ifMatch?: string | undefined
  }[]
}
