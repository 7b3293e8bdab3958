// made from the table of routes by `npm run generate`

export type EventType =
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
  | 'invitation.created'
  | 'invitation.accepted'
  | 'invitation.deleted'
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.revoked'
  | 'project.created'
  | 'project.updated'
  | 'project.archived'
  | 'project.unarchived'
  | 'project.deleted'
  | 'project.restored'
  | 'project_member.created'
  | 'project_member.updated'
  | 'project_member.deleted'
  | 'workspace.created'
  | 'workspace.updated'
  | 'workspace.deleted'
  | 'workspace.restored'
  | 'stage.created'
  | 'stage.updated'
  | 'stage.moved'
  | 'stage.deleted'
  | 'stage.restored'
  | 'order.respaced'
  | 'task_type.created'
  | 'task_type.updated'
  | 'task_type.deleted'
  | 'task_type.restored'
  | 'tag.created'
  | 'tag.updated'
  | 'tag.deleted'
  | 'tag.restored'
  | 'task.created'
  | 'task.updated'
  | 'task.moved'
  | 'task.deleted'
  | 'task.restored'
  | 'subtask.created'
  | 'subtask.updated'
  | 'subtask.moved'
  | 'subtask.finalized'
  | 'subtask.reopened'
  | 'subtask.deleted'
  | 'subtask.restored'
  | 'comment.created'
  | 'comment.updated'
  | 'comment.deleted'
  | 'comment.restored'
  | 'time_entry.created'
  | 'time_entry.updated'
  | 'time_entry.left'
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

export type EventFilter =
  | 'organization.*'
  | 'member.*'
  | 'invitation.*'
  | 'api_key.*'
  | 'project.*'
  | 'project_member.*'
  | 'workspace.*'
  | 'stage.*'
  | 'order.*'
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
  | 'invitation.created'
  | 'invitation.accepted'
  | 'invitation.deleted'
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.revoked'
  | 'project.created'
  | 'project.updated'
  | 'project.archived'
  | 'project.unarchived'
  | 'project.deleted'
  | 'project.restored'
  | 'project_member.created'
  | 'project_member.updated'
  | 'project_member.deleted'
  | 'workspace.created'
  | 'workspace.updated'
  | 'workspace.deleted'
  | 'workspace.restored'
  | 'stage.created'
  | 'stage.updated'
  | 'stage.moved'
  | 'stage.deleted'
  | 'stage.restored'
  | 'order.respaced'
  | 'task_type.created'
  | 'task_type.updated'
  | 'task_type.deleted'
  | 'task_type.restored'
  | 'tag.created'
  | 'tag.updated'
  | 'tag.deleted'
  | 'tag.restored'
  | 'task.created'
  | 'task.updated'
  | 'task.moved'
  | 'task.deleted'
  | 'task.restored'
  | 'subtask.created'
  | 'subtask.updated'
  | 'subtask.moved'
  | 'subtask.finalized'
  | 'subtask.reopened'
  | 'subtask.deleted'
  | 'subtask.restored'
  | 'comment.created'
  | 'comment.updated'
  | 'comment.deleted'
  | 'comment.restored'
  | 'time_entry.created'
  | 'time_entry.updated'
  | 'time_entry.left'
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

/** A key that identifies a member to the API. */
export interface ApiKey {
  id: string
  /** The member that the key belongs to. */
  memberId: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The first characters of the secret, to tell keys apart. */
  prefix: string
  /** The permissions of the key. They never exceed the role of its member. */
  scopes: ('read' | 'write')[]
  /** The member who created the key. Null: the operator, or the command line. */
  createdBy: string | null
  /** The key that was used to create this one. Only owners, admins and its creator see it. */
  createdWith: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  expiresAt: string | null
  /**
   * When the key was last used, to the minute.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  lastUsedAt: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  revokedAt: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A comment with its author. */
export interface AuthoredComment {
  id: string
  taskId: string
  /** The project of the task. */
  projectId: string
  authorId: string
  /** The text, in Markdown. */
  body: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
  author: NamedMember
}

/** A workspace with its stages in order and their first tasks, all read at the same time. */
export interface Board<Item = Card> {
  workspace: Workspace
  stages: FilledStage<Item>[]
}

/** A project without its description. */
export interface BriefProject {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The start of the keys of its tasks, such as WEB-12. Unique in the organization. Cannot be changed. */
  key: string
  color: string | null
  status: 'active' | 'archived'
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A task without its description. */
export interface BriefTask {
  id: string
  /** The project of the task. It cannot be changed. */
  projectId: string
  workspaceId: string | null
  /** A task in a workspace is always in one of its stages. */
  stageId: string | null
  /** The number of the task in its project. Numbers have no gaps. */
  number: number
  /** The key of the project and the number of the task. */
  key: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  typeId: string | null
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** The members who do the task. Responses sort them by id. */
  assigneeIds: string[]
  /** The tags of the task. Responses sort them by id. */
  tagIds: string[]
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  estimateSeconds: number | null
  /**
   * The place of the task in its stage, in ascending order. It can change without a new version, when the server
   * makes room for another one.
   */
  position: number | null
  /**
   * When the task entered a stage of the category `done`. Null if it is not completed.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  completedAt: string | null
  createdBy: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A workspace without its description. */
export interface BriefWorkspace {
  id: string
  /** The project of the workspace. Null: all projects of the organization can use it. It cannot be changed. */
  projectId: string | null
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  color: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** One result for each operation, in the same order. */
export interface BulkResults {
  results: {
    status: number
    location?: string
    etag?: string
    /** The response body of the operation. Null if it has none. */
    body: unknown
  }[]
}

/**
 * A task on a board. It has only id, key, name, typeId, priority, assigneeIds, tagIds, dueDate, unless `fields`
 * names other fields.
 */
export interface Card {
  id: string
  /** The project of the task. It cannot be changed. */
  projectId?: string
  workspaceId?: string | null
  /** A task in a workspace is always in one of its stages. */
  stageId?: string | null
  /** The number of the task in its project. Numbers have no gaps. */
  number?: number
  /** The key of the project and the number of the task. */
  key: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The text, in Markdown. */
  description?: string | null
  typeId: string | null
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** The members who do the task. Responses sort them by id. */
  assigneeIds: string[]
  /** The tags of the task. Responses sort them by id. */
  tagIds: string[]
  /** As `2026-01-31`. */
  startDate?: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  estimateSeconds?: number | null
  /**
   * The place of the task in its stage, in ascending order. It can change without a new version, when the server
   * makes room for another one.
   */
  position?: number | null
  /**
   * When the task entered a stage of the category `done`. Null if it is not completed.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  completedAt?: string | null
  createdBy?: string
  /** Goes up with each change. */
  version?: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt?: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt?: string
  assignees?: Member[]
  tags?: Tag[]
  /**
   * The subtasks of the task, in order: up to 1000 per item. A page has at most 2000 in total, shared evenly among
   * its items.
   */
  subtasks?: Subtask[]
  /** True if there are more. Use `GET /tasks/{id}/subtasks` to get all. */
  moreSubtasks?: true
  /** The time on the task and its subtasks. Running time entries count up to now. */
  trackedSeconds?: number
  project?: BriefProject | null
  workspace?: BriefWorkspace | null
  stage?: Stage | null
  type?: TaskType | null
  creator?: NamedMember | null
  /**
   * The members that its subtasks are assigned to, each once: up to 1000 per item. A page has at most 1000 in total,
   * shared evenly among its items.
   */
  subtaskAssignees?: Member[]
  /** True if there are more. Use `GET /subtasks?taskId=…&include=assignee` to get all. */
  moreSubtaskAssignees?: true
  /**
   * The comments on the task, newest first, each with its author: up to 50 per item. A page has at most 100 in
   * total, shared evenly among its items.
   */
  comments?: AuthoredComment[]
  /** True if there are more. Use `GET /tasks/{id}/comments` to get all. */
  moreComments?: true
}

/** A comment on a task. */
export interface Comment {
  id: string
  taskId: string
  /** The project of the task. */
  projectId: string
  authorId: string
  /** The text, in Markdown. */
  body: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A comment on a task. A body longer than 510 characters is left out if it did not change. */
export interface CommentSnapshot {
  id: string
  taskId: string
  /** The project of the task. */
  projectId: string
  authorId: string
  /** The text, in Markdown. */
  body?: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A new member, with the invitation if you asked for one. */
export interface CreatedMember {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** Unique in the organization. Stored in lower case. */
  email: string
  role: 'owner' | 'admin' | 'member'
  /** IANA time zone. Null: the time zone of the organization. */
  timezone: string | null
  /** The API keys of a deactivated member do not work. */
  status: 'active' | 'deactivated'
  /**
   * When a person first signed in as this member. Null: nobody did yet, or the member only has API keys.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  joinedAt: string | null
  /** Whether the person who signs in as this member proved that the e-mail address is theirs. */
  emailVerified: boolean
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
  invitation?: NewInvitation
}

/** A deleted resource that can be restored. */
export interface DeletedItem {
  kind:
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
  id: string
  /**
   * The name. For a comment or a time entry: the beginning of its text. For a webhook: its URL. Null for a time
   * entry without a description.
   */
  name: string | null
  /** The project that it belongs to. For a project, the project itself. */
  projectId: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  deletedAt: string
  /** The member who deleted it. Null: the operator, or its event is no longer stored. */
  deletedBy: string | null
  /**
   * 30 days after it was deleted.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  restorableUntil: string
}

/** An event that the server sends to a webhook. */
export interface Delivery {
  id: string
  webhookId: string
  /** The event id. Each attempt sends it as `webhook-id`. */
  eventId: string
  /**
   * The position in the event log of the organization. Sequences have no gaps. They follow the order in which the
   * changes took effect.
   */
  sequence: number
  eventType: string
  /** pending: the server tries again. failed: the server no longer tries, unless you redeliver it. */
  status: 'pending' | 'delivered' | 'failed'
  /** The last 20 attempts, oldest first. */
  attempts: {
    /** As `2026-01-31T09:30:00.000Z`. */
    at: string
    /** The status code of the response. Null if there was none. */
    status: number | null
    /** How long the attempt took, in milliseconds. */
    ms: number
    /** Why there was no response. */
    error: string | null
    /** The beginning of the response body. */
    answer: string | null
  }[]
  attemptCount: number
  /**
   * The next attempt is not made before this. Null if none is due.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  nextAttemptAt: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** What the snapshot of an event is, by the type of the event. */
export interface EventSnapshots {
  'organization.created': Organization
  'organization.updated': Organization
  'organization.deleted': Organization
  'organization.restored': Organization
  'member.created': Member
  'member.updated': Member
  'member.joined': Member
  'member.sign_in_changed': Member
  'member.deleted': Member
  'member.restored': Member
  'member.erased': Member
  'invitation.created': Invitation
  'invitation.accepted': Invitation
  'invitation.deleted': Invitation
  'api_key.created': ApiKey
  'api_key.updated': ApiKey
  'api_key.revoked': ApiKey
  'project.created': Project
  'project.updated': ProjectSnapshot
  'project.archived': ProjectSnapshot
  'project.unarchived': ProjectSnapshot
  'project.deleted': ProjectSnapshot
  'project.restored': Project
  'project_member.created': ProjectMember
  'project_member.updated': ProjectMember
  'project_member.deleted': ProjectMember
  'workspace.created': Workspace
  'workspace.updated': WorkspaceSnapshot
  'workspace.deleted': WorkspaceSnapshot
  'workspace.restored': Workspace
  'stage.created': Stage
  'stage.updated': Stage
  'stage.moved': Stage
  'stage.deleted': Stage
  'stage.restored': Stage
  'order.respaced': Respacing
  'task_type.created': TaskType
  'task_type.updated': TaskType
  'task_type.deleted': TaskType
  'task_type.restored': TaskType
  'tag.created': Tag
  'tag.updated': Tag
  'tag.deleted': Tag
  'tag.restored': Tag
  'task.created': Task
  'task.updated': TaskSnapshot
  'task.moved': TaskSnapshot
  'task.deleted': TaskSnapshot
  'task.restored': Task
  'subtask.created': Subtask
  'subtask.updated': Subtask
  'subtask.moved': Subtask
  'subtask.finalized': Subtask
  'subtask.reopened': Subtask
  'subtask.deleted': Subtask
  'subtask.restored': Subtask
  'comment.created': Comment
  'comment.updated': CommentSnapshot
  'comment.deleted': CommentSnapshot
  'comment.restored': Comment
  'time_entry.created': TimeEntry
  'time_entry.updated': TimeEntrySnapshot
  'time_entry.left': TimeEntrySnapshot
  'time_entry.deleted': TimeEntrySnapshot
  'time_entry.restored': TimeEntry
  'webhook.created': Webhook
  'webhook.updated': WebhookSnapshot
  'webhook.paused': WebhookSnapshot
  'webhook.resumed': WebhookSnapshot
  'webhook.disabled': WebhookSnapshot
  'webhook.secret_rotated': WebhookSnapshot
  'webhook.test': WebhookSnapshot
  'webhook.replayed': WebhookSnapshot
  'webhook.redelivered': WebhookSnapshot
  'webhook.deleted': WebhookSnapshot
  'webhook.restored': Webhook
}

/** An event of one type. A change: what changed, who changed it, and the old and new values. */
export interface EventOf<Type extends EventType> {
  /** The same every time you receive the event. */
  id: string
  /**
   * The position in the event log of the organization. Sequences have no gaps. They follow the order in which the
   * changes took effect.
   */
  sequence: number
  /** The type of the resource and what happened to it. */
  type: Type
  actor: {
    /** The member who made the change. Null: the operator, the command line or the server itself. */
    memberId: string | null
    /** The API key that was used. Only owners, admins and the member itself see it. */
    apiKeyId: string | null
  }
  requestId: string
  /** The resource that changed. For a project member, this is the id of the member. */
  resource: {
    type: string
    id: string
  }
  /** Null if the resource belongs to the whole organization. */
  projectId: string | null
  /** The fields that the update changed. */
  changes: Record<
    string,
    {
      from?: unknown
      to: unknown
      /** True if a text was longer than 510 characters: it is cut and ends with an ellipsis. */
      shortened?: true
    }
  >
  /**
   * The resource after the change, or before it if the resource was deleted. A long text is left out if it did not
   * change.
   */
  snapshot: EventSnapshots[Type] & Record<string, unknown>
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
}

/**
 * A change: what changed, who changed it, and the old and new values.
 *
 * Its `type` tells what its `snapshot` is. A newer server may send further types: leave out those that you do not
 * know.
 */
export type Event = { [Type in EventType]: EventOf<Type> }[EventType]

/** The range of events that you can read. */
export interface EventsHead {
  /** The oldest event that is stored. If there is none, the next event: `latest` + 1. */
  oldest: number
  /**
   * The latest event of the organization, even if it is no longer stored or you cannot see it. 0 before the first
   * event.
   */
  latest: number
}

/** A stage with its first tasks. */
export interface FilledStage<Item = Card> {
  id: string
  workspaceId: string
  /** The project of the workspace. Null if the workspace belongs to the whole organization. */
  projectId: string | null
  /** Unique in the workspace. Case and accents do not matter. */
  name: string
  /** Tasks in a stage of the category `done` are completed. */
  category: 'todo' | 'doing' | 'done'
  color: string | null
  /** The maximum number of tasks in the stage. Null: no limit. */
  wipLimit: number | null
  /**
   * The place of the stage in its workspace, in ascending order. It can change without a new version, when the
   * server makes room for another one.
   */
  position: number
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
  /** The number of tasks in the stage that you can see and that match the filters. */
  taskCount: number
  /** The first of these tasks, from top to bottom. */
  tasks: Item[]
  /**
   * Use it to get more tasks: `GET /tasks?stageId=…&sort=position&cursor=…`, with the same filters. Null if there
   * are no more.
   */
  nextCursor: string | null
}

/** A new organization, its owner and the first API key of the owner. */
export interface FoundedOrganization {
  organization: Organization
  owner: Member
  apiKey: NewApiKey
}

/** An administrative action. */
export interface AuditEntry {
  /** The same every time you receive the event. */
  id: string
  /**
   * The position in the event log of the organization. Sequences have no gaps. They follow the order in which the
   * changes took effect.
   */
  sequence: number
  /** The type of the resource and what happened to it. */
  type: string
  actor: {
    /** The member who made the change. Null: the operator, the command line or the server itself. */
    memberId: string | null
    apiKeyId: string | null
    /**
     * operator: the person who runs the instance, with the operator token or on the command line. server: the server
     * itself.
     */
    kind: 'member' | 'operator' | 'server'
  }
  requestId: string
  /** The resource that the action changed. For a project member, this is the id of the member. */
  resource: {
    type: string
    id: string
    /** The name at that time. Null if it has no name, or if its event is no longer stored. */
    name: string | null
  }
  /** Null if the resource belongs to the whole organization. */
  projectId: string | null
  /**
   * The fields that the update changed. When the event is no longer stored, most fields are listed without values,
   * as {}.
   */
  changes: Record<
    string,
    {
      from?: unknown
      to?: unknown
      shortened?: true
    }
  >
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
}

/** What `include` adds to an AuditEntry, under the word that asks for it. */
export interface AuditEntryParts {
  /** The member who made the change. Null if `actor.memberId` is null. */
  member: NamedMember | null
}

/** An administrative action, with the data that `include` names. */
export type FullAuditEntry = AuditEntry & Partial<AuditEntryParts>

/** What `include` adds to a Comment, under the word that asks for it. */
export interface CommentParts {
  author: NamedMember | null
  task: BriefTask | null
  project: BriefProject | null
}

/** A comment, with the data that `include` names. */
export type FullComment = Comment & Partial<CommentParts>

/** The member and organization of the caller. */
export interface Me {
  member: Member
  organization: Organization
  /** Whether the request has an API key or the session of a person. */
  via: 'key' | 'session'
  /** The API key of the request. Null if it has a session. */
  apiKey: ApiKey | null
}

/** What `include` adds to a Me, under the word that asks for it. */
export interface MeParts {
  /** Your running timer. Null if there is none. */
  timer: RunningTime | null
  eventsHead: EventsHead
  /**
   * Your roles in the projects that you were added to, newest project first. Owners and admins also lead all other
   * projects.
   */
  projectRoles: GrantedRole[]
}

/** The member and organization of the caller, with the data that `include` names. */
export type FullMe = Me & Partial<MeParts>

/** What `include` adds to a Member, under the word that asks for it. */
export interface MemberParts {
  /**
   * The projects of this member that you can see, newest first: up to 1000 per item. A page has at most 1000 in
   * total, shared evenly among its items.
   */
  projects: BriefProject[]
  /** True if there are more. Use `GET /projects?memberId=` to get all. */
  moreProjects?: true
}

/** A member, with the data that `include` names. */
export type FullMember = Member & Partial<MemberParts>

/** An event in the history of a task. */
export interface PastEvent {
  /** The same every time you receive the event. */
  id: string
  /**
   * The position in the event log of the organization. Sequences have no gaps. They follow the order in which the
   * changes took effect.
   */
  sequence: number
  /** The type of the resource and what happened to it. */
  type: string
  actor: {
    /** The member who made the change. Null: the operator, the command line or the server itself. */
    memberId: string | null
    /** The API key that was used. Only owners, admins and the member itself see it. */
    apiKeyId: string | null
  }
  requestId: string
  /** The resource that changed. For a project member, this is the id of the member. */
  resource: {
    type: string
    id: string
  }
  /** Null if the resource belongs to the whole organization. */
  projectId: string | null
  /** The fields that the update changed. */
  changes: Record<
    string,
    {
      from?: unknown
      to: unknown
      /** True if a text was longer than 510 characters: it is cut and ends with an ellipsis. */
      shortened?: true
    }
  >
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  resourceId: string
}

/** What `include` adds to a PastEvent, under the word that asks for it. */
export interface PastEventParts {
  /** The member who made the change. Null if `actor.memberId` is null. */
  member: NamedMember | null
}

/** An event in the history of a task, with the data that `include` names. */
export type FullPastEvent = PastEvent & Partial<PastEventParts>

/** What `include` adds to a Project, under the word that asks for it. */
export interface ProjectParts {
  progress: Progress
  /**
   * The members of the project by name: up to 1000 per item. A page has at most 1000 in total, shared evenly among
   * its items.
   */
  members: ProjectMember[]
  /** True if there are more. Use `GET /projects/{id}/members` to get all. */
  moreMembers?: true
}

/** A project, with the data that `include` names. */
export type FullProject = Project & Partial<ProjectParts>

/** What `include` adds to a Stage, under the word that asks for it. */
export interface StageParts {
  /** The number of tasks in the stage that you can see. */
  taskCount: number
}

/** A stage, with the data that `include` names. */
export type FullStage = Stage & Partial<StageParts>

/** What `include` adds to a Subtask, under the word that asks for it. */
export interface SubtaskParts {
  assignee: Member | null
  task: BriefTask | null
  project: BriefProject | null
}

/** A subtask, with the data that `include` names. */
export type FullSubtask = Subtask & Partial<SubtaskParts>

/** What `include` adds to a Task, under the word that asks for it. */
export interface TaskParts {
  assignees: Member[]
  tags: Tag[]
  /**
   * The subtasks of the task, in order: up to 1000 per item. A page has at most 2000 in total, shared evenly among
   * its items.
   */
  subtasks: Subtask[]
  /** True if there are more. Use `GET /tasks/{id}/subtasks` to get all. */
  moreSubtasks?: true
  /** The time on the task and its subtasks. Running time entries count up to now. */
  trackedSeconds: number
  project: BriefProject | null
  workspace: BriefWorkspace | null
  stage: Stage | null
  type: TaskType | null
  creator: NamedMember | null
  /**
   * The members that its subtasks are assigned to, each once: up to 1000 per item. A page has at most 1000 in total,
   * shared evenly among its items.
   */
  subtaskAssignees: Member[]
  /** True if there are more. Use `GET /subtasks?taskId=…&include=assignee` to get all. */
  moreSubtaskAssignees?: true
  /**
   * The comments on the task, newest first, each with its author: up to 50 per item. A page has at most 100 in
   * total, shared evenly among its items.
   */
  comments: AuthoredComment[]
  /** True if there are more. Use `GET /tasks/{id}/comments` to get all. */
  moreComments?: true
}

/** A task, with the data that `include` names. */
export type FullTask = Task & Partial<TaskParts>

/** What `include` adds to a TimeEntry, under the word that asks for it. */
export interface TimeEntryParts {
  /** The task of the time entry. For time on a subtask, the task of that subtask. */
  task: BriefTask | null
  subtask: Subtask | null
  project: BriefProject | null
  member: NamedMember | null
  tags: Tag[]
}

/** A time entry, with the data that `include` names. */
export type FullTimeEntry = TimeEntry & Partial<TimeEntryParts>

/** What `include` adds to a Webhook, under the word that asks for it. */
export interface WebhookParts {
  progress: {
    /** Every event up to this sequence was handled: sent, tried or skipped. */
    position: number
    /** As `2026-01-31T09:30:00.000Z`. */
    lastSuccessAt: string | null
    /**
     * Null if the receiver accepted the last event.
     *
     * As `2026-01-31T09:30:00.000Z`.
     */
    failingSince: string | null
    /**
     * No new event is tried before this, because several in a row failed.
     *
     * As `2026-01-31T09:30:00.000Z`.
     */
    retryAt: string | null
  }
}

/** A webhook, with the data that `include` names. */
export type FullWebhook = Webhook & Partial<WebhookParts>

/** The role that a member was given in a project. */
export interface GrantedRole {
  projectId: string
  /** Owners and admins of the organization always lead the project, no matter which role they were given. */
  role: 'lead' | 'contributor' | 'viewer'
}

/** An invitation to sign in as a member. It works once. */
export interface Invitation {
  id: string
  /** The member that somebody joins as. */
  memberId: string
  /** The member who sent the invitation. */
  createdBy: string | null
  /**
   * The link works until then: for 7 days.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  expiresAt: string
  /**
   * When the server mailed a link to the member. Null: this server sends no mail, so pass the link on.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  mailedAt: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  acceptedAt: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A user in an organization. */
export interface Member {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** Unique in the organization. Stored in lower case. */
  email: string
  role: 'owner' | 'admin' | 'member'
  /** IANA time zone. Null: the time zone of the organization. */
  timezone: string | null
  /** The API keys of a deactivated member do not work. */
  status: 'active' | 'deactivated'
  /**
   * When a person first signed in as this member. Null: nobody did yet, or the member only has API keys.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  joinedAt: string | null
  /** Whether the person who signs in as this member proved that the e-mail address is theirs. */
  emailVerified: boolean
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A member who did something, even if the member was removed later. */
export interface NamedMember {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** Null if the member was removed. */
  email: string | null
  status: 'active' | 'deactivated' | 'removed'
}

/** A new API key. Its secret is never shown again. */
export interface NewApiKey {
  id: string
  /** The member that the key belongs to. */
  memberId: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The first characters of the secret, to tell keys apart. */
  prefix: string
  /** The permissions of the key. They never exceed the role of its member. */
  scopes: ('read' | 'write')[]
  /** The member who created the key. Null: the operator, or the command line. */
  createdBy: string | null
  /** The key that was used to create this one. Only owners, admins and its creator see it. */
  createdWith: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  expiresAt: string | null
  /**
   * When the key was last used, to the minute.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  lastUsedAt: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  revokedAt: string | null
  /** Send it as `Authorization: Bearer <secret>`. */
  secret: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A new invitation. Its link is never shown again. */
export interface NewInvitation {
  id: string
  /** The member that somebody joins as. */
  memberId: string
  /** The member who sent the invitation. */
  createdBy: string | null
  /**
   * The link works until then: for 7 days.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  expiresAt: string
  /**
   * When the server mailed a link to the member. Null: this server sends no mail, so pass the link on.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  mailedAt: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  acceptedAt: string | null
  /** The page on which the member accepts. Everybody who has the link can accept. */
  link: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A webhook with its secret. The secret is never shown again. */
export interface NewWebhook {
  id: string
  /**
   * The URL that receives events by POST. It must be public and use https. The operator can allow others with
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url: string
  /** The event types to send, such as `task.created`, or `task.*` for all events of tasks. Empty: all types. */
  types: EventFilter[]
  /** Only events of this project. Null: of the whole organization. */
  projectId: string | null
  description: string | null
  /**
   * Unless it is active, the webhook receives nothing. New events wait until you resume it, for as long as events
   * are stored.
   */
  status: 'active' | 'paused' | 'disabled'
  /**
   * Why the server disabled it. gone: the receiver responded with 410. failing: the receiver accepted nothing for
   * five days.
   */
  disabledReason: 'gone' | 'failing' | null
  /**
   * Until then, deliveries are also signed with the previous secret.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  formerSecretUntil: string | null
  /** Verifies the signatures of deliveries. Use any library for Standard Webhooks. */
  secret: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A tenant. Its data is invisible to all other organizations. */
export interface Organization {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** IANA time zone, such as `Europe/Berlin`. */
  timezone: string
  weekStart: 'monday' | 'saturday' | 'sunday'
  settings: {
    /** The effect on a running timer when the member starts another one. */
    timerPolicy: 'stop_previous' | 'reject'
    /** Whether the time entries of a member may overlap. */
    overlapPolicy: 'allow' | 'reject'
    /**
     * Nobody can change time before this day.
     *
     * As `2026-01-31`.
     */
    timeLockedBefore: string | null
  }
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** Tasks by the category of their stage, overdue tasks, and time. */
export interface Progress {
  /** Tasks in stages of this category. `todo`, `doing`, `done` and `offBoard` together are all tasks. */
  todo: number
  doing: number
  done: number
  /** Open tasks that are on no board. */
  offBoard: number
  /** Open tasks whose due date is before today, in the time zone of the organization. */
  overdue: number
  /** The sum of all estimates. */
  estimatedSeconds: number
  /** The time on all tasks. Running time entries count up to now. */
  trackedSeconds: number
}

/** Tasks that belong together, and the members who see them. */
export interface Project {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The start of the keys of its tasks, such as WEB-12. Unique in the organization. Cannot be changed. */
  key: string
  description: string | null
  color: string | null
  status: 'active' | 'archived'
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A member of a project, with their role in it. */
export interface ProjectMember {
  memberId: string
  projectId: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** Owners and admins of the organization always lead the project, no matter which role they were given. */
  role: 'lead' | 'contributor' | 'viewer'
  /**
   * The role that was given in this project. It counts when the member is no longer an owner or admin. Null: no role
   * was given.
   */
  grantedRole: 'lead' | 'contributor' | 'viewer' | null
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** The id, key and name of a project. */
export interface ProjectOfHit {
  id: string
  /** The start of the keys of its tasks, such as WEB-12. Unique in the organization. Cannot be changed. */
  key: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
}

/**
 * Tasks that belong together, and the members who see them. A description longer than 510 characters is left out
 * if it did not change.
 */
export interface ProjectSnapshot {
  id: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The start of the keys of its tasks, such as WEB-12. Unique in the organization. Cannot be changed. */
  key: string
  description?: string | null
  color: string | null
  status: 'active' | 'archived'
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** How often a key was refused in an hour, from one address. */
export interface RefusedSignIn {
  id: string
  /**
   * The start of the hour.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  hour: string
  /** Null for a key that the organization never had, or no longer has. */
  keyId: string | null
  /** Null for several addresses that are counted together. */
  address: string | null
  count: number
  /** As `2026-01-31T09:30:00.000Z`. */
  lastAt: string
}

/** The new positions of stages, tasks or subtasks, in the same order. */
export interface Respacing {
  /** The kind of the items. */
  of: 'stage' | 'task' | 'subtask'
  /** The project of the items. */
  projectId: string | null
  positions: {
    id: string
    position: number
  }[]
}

/** The running time entry, with its task and subtask. */
export interface RunningTime {
  id: string
  taskId: string | null
  subtaskId: string | null
  /** The project of the task or subtask. */
  projectId: string
  memberId: string
  /** As `2026-01-31T08:00:00.000Z`. */
  startedAt: string
  /**
   * Null while the time entry is running.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  endedAt: string | null
  /** In whole seconds. Null while the time entry is running. */
  durationSeconds: number | null
  billable: boolean
  /** The tags of the time entry. Responses sort them by id. */
  tagIds: string[]
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
  task: BriefTask | null
  subtask: Subtask | null
}

/** Search results, by kind. */
export interface SearchAnswer {
  /** In the order task, project, subtask, comment, time_entry. A kind without results is left out. */
  groups: SearchGroup[]
}

/** The search results of one kind. */
export interface SearchGroup {
  kind: 'task' | 'project' | 'subtask' | 'comment' | 'time_entry'
  /** Newest first. */
  hits: SearchHit[]
  /** Use it to get more of this kind: `kinds=…&cursor=…`. */
  nextCursor: string | null
}

/** A search result, with all that you need to show it and to open it. */
export interface SearchHit {
  kind: 'task' | 'project' | 'subtask' | 'comment' | 'time_entry'
  id: string
  /** The key of a task (WEB-12) or a project (WEB). Null for other kinds. */
  key: string | null
  /** The name of a task, a project or a subtask. Null for other kinds. */
  name: string | null
  /** The project that it belongs to. For a project, the project itself. */
  project: ProjectOfHit
  /** The task of a subtask, a comment or a time entry. Null for other kinds. */
  task: TaskOfHit | null
  /** The author of a comment, or the member of a time entry. Null for other kinds. */
  memberId: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  snippet: Snippet
}

/** The part of a field where most of the search words are close together. */
export interface Snippet {
  /** The field that the text comes from. */
  field: 'key' | 'name' | 'description' | 'body'
  /** A part of the field, at most 160 UTF-16 code units long. */
  text: string
  /**
   * Where the search words are in `text`: `text.slice(start, end)`. Positions count UTF-16 code units, as
   * JavaScript, Java and C# do. Matches are in ascending order and do not overlap.
   */
  matches: {
    start: number
    end: number
  }[]
  /** Whether the field has more text before this part. */
  cutBefore: boolean
  /** Whether the field has more text after this part. */
  cutAfter: boolean
}

/** A column of a workspace. */
export interface Stage {
  id: string
  workspaceId: string
  /** The project of the workspace. Null if the workspace belongs to the whole organization. */
  projectId: string | null
  /** Unique in the workspace. Case and accents do not matter. */
  name: string
  /** Tasks in a stage of the category `done` are completed. */
  category: 'todo' | 'doing' | 'done'
  color: string | null
  /** The maximum number of tasks in the stage. Null: no limit. */
  wipLimit: number | null
  /**
   * The place of the stage in its workspace, in ascending order. It can change without a new version, when the
   * server makes room for another one.
   */
  position: number
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A step of a task. After it is finalized, it and its time cannot change until it is reopened. */
export interface Subtask {
  id: string
  taskId: string
  /** The project of the task. */
  projectId: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  assigneeId: string | null
  /**
   * The place of the subtask in its task, in ascending order. It can change without a new version, when the server
   * makes room for another one.
   */
  position: number
  /** As `2026-01-31T09:30:00.000Z`. */
  finalizedAt: string | null
  finalizedBy: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A label for tasks and time entries. */
export interface Tag {
  id: string
  /** Unique in the organization. Case and accents do not matter. */
  name: string
  color: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A piece of work in a project. */
export interface Task {
  id: string
  /** The project of the task. It cannot be changed. */
  projectId: string
  workspaceId: string | null
  /** A task in a workspace is always in one of its stages. */
  stageId: string | null
  /** The number of the task in its project. Numbers have no gaps. */
  number: number
  /** The key of the project and the number of the task. */
  key: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The text, in Markdown. */
  description: string | null
  typeId: string | null
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** The members who do the task. Responses sort them by id. */
  assigneeIds: string[]
  /** The tags of the task. Responses sort them by id. */
  tagIds: string[]
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  estimateSeconds: number | null
  /**
   * The place of the task in its stage, in ascending order. It can change without a new version, when the server
   * makes room for another one.
   */
  position: number | null
  /**
   * When the task entered a stage of the category `done`. Null if it is not completed.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  completedAt: string | null
  createdBy: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** The id, key and name of a task. */
export interface TaskOfHit {
  id: string
  /** The key of the project and the number of the task. */
  key: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
}

/** The number of tasks and their time, by group. */
export interface TaskReport {
  groupBy: (
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
  data: {
    /** The value of each dimension in `groupBy`. `id` and `name` are null if there is none. */
    group: Partial<
      Record<
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
        | 'dueMonth',
        {
          id: string | null
          name: string | null
        }
      >
    >
    /** Tasks that are not completed. */
    open: number
    completed: number
    /** Open tasks whose due date is before today, in the time zone of the organization. */
    overdue: number
    /** The sum of all estimates. */
    estimatedSeconds: number
    /** The time on the tasks and their subtasks. Running time entries count up to now. */
    trackedSeconds: number
    /**
     * The median time from creation to completion of completed tasks, in days of 24 hours with three decimals. Null if
     * no task is completed.
     */
    medianDaysToCompletion: number | null
  }[]
  /** Counts each task once, even if it is in several groups by tag or assignee. */
  totals: {
    /** Tasks that are not completed. */
    open: number
    completed: number
    /** Open tasks whose due date is before today, in the time zone of the organization. */
    overdue: number
    /** The sum of all estimates. */
    estimatedSeconds: number
    /** The time on the tasks and their subtasks. Running time entries count up to now. */
    trackedSeconds: number
    /**
     * The median time from creation to completion of completed tasks, in days of 24 hours with three decimals. Null if
     * no task is completed.
     */
    medianDaysToCompletion: number | null
  }
}

/** A piece of work in a project. A description longer than 510 characters is left out if it did not change. */
export interface TaskSnapshot {
  id: string
  /** The project of the task. It cannot be changed. */
  projectId: string
  workspaceId: string | null
  /** A task in a workspace is always in one of its stages. */
  stageId: string | null
  /** The number of the task in its project. Numbers have no gaps. */
  number: number
  /** The key of the project and the number of the task. */
  key: string
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  /** The text, in Markdown. */
  description?: string | null
  typeId: string | null
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent'
  /** The members who do the task. Responses sort them by id. */
  assigneeIds: string[]
  /** The tags of the task. Responses sort them by id. */
  tagIds: string[]
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  estimateSeconds: number | null
  /**
   * The place of the task in its stage, in ascending order. It can change without a new version, when the server
   * makes room for another one.
   */
  position: number | null
  /**
   * When the task entered a stage of the category `done`. Null if it is not completed.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  completedAt: string | null
  createdBy: string
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** The kind of work that a task is. */
export interface TaskType {
  id: string
  /** Unique in the organization. Case and accents do not matter. */
  name: string
  color: string | null
  icon: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** Time that a member worked on a task or a subtask. */
export interface TimeEntry {
  id: string
  taskId: string | null
  subtaskId: string | null
  /** The project of the task or subtask. */
  projectId: string
  memberId: string
  /** As `2026-01-31T08:00:00.000Z`. */
  startedAt: string
  /**
   * Null while the time entry is running.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  endedAt: string | null
  /** In whole seconds. Null while the time entry is running. */
  durationSeconds: number | null
  description: string | null
  billable: boolean
  /** The tags of the time entry. Responses sort them by id. */
  tagIds: string[]
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/**
 * Time that a member worked on a task or a subtask. A description longer than 510 characters is left out if it did
 * not change.
 */
export interface TimeEntrySnapshot {
  id: string
  taskId: string | null
  subtaskId: string | null
  /** The project of the task or subtask. */
  projectId: string
  memberId: string
  /** As `2026-01-31T08:00:00.000Z`. */
  startedAt: string
  /**
   * Null while the time entry is running.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  endedAt: string | null
  /** In whole seconds. Null while the time entry is running. */
  durationSeconds: number | null
  description?: string | null
  billable: boolean
  /** The tags of the time entry. Responses sort them by id. */
  tagIds: string[]
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** The sum of time, by group. */
export interface TimeReport {
  groupBy: ('project' | 'member' | 'task' | 'type' | 'tag' | 'billable' | 'day' | 'week' | 'month')[]
  data: {
    /** The value of each dimension in `groupBy`. `id` and `name` are null if there is none. */
    group: Partial<
      Record<
        'project' | 'member' | 'task' | 'type' | 'tag' | 'billable' | 'day' | 'week' | 'month',
        {
          id: string | null
          name: string | null
        }
      >
    >
    /** Running time entries count up to now. */
    seconds: number
    billableSeconds: number
    entries: number
  }[]
  /** Counts each time entry once, even if it is in several groups by tag. */
  totals: {
    /** Running time entries count up to now. */
    seconds: number
    billableSeconds: number
    entries: number
  }
}

/** Your running time entry. Null if you have none. */
export interface Timer<Item = FullTimeEntry> {
  timeEntry: Item | null
}

/** A URL that receives events. */
export interface Webhook {
  id: string
  /**
   * The URL that receives events by POST. It must be public and use https. The operator can allow others with
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url: string
  /** The event types to send, such as `task.created`, or `task.*` for all events of tasks. Empty: all types. */
  types: EventFilter[]
  /** Only events of this project. Null: of the whole organization. */
  projectId: string | null
  description: string | null
  /**
   * Unless it is active, the webhook receives nothing. New events wait until you resume it, for as long as events
   * are stored.
   */
  status: 'active' | 'paused' | 'disabled'
  /**
   * Why the server disabled it. gone: the receiver responded with 410. failing: the receiver accepted nothing for
   * five days.
   */
  disabledReason: 'gone' | 'failing' | null
  /**
   * Until then, deliveries are also signed with the previous secret.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  formerSecretUntil: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A URL that receives events. A url or description longer than 510 characters is left out if it did not change. */
export interface WebhookSnapshot {
  id: string
  /**
   * The URL that receives events by POST. It must be public and use https. The operator can allow others with
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url?: string
  /** The event types to send, such as `task.created`, or `task.*` for all events of tasks. Empty: all types. */
  types: EventFilter[]
  /** Only events of this project. Null: of the whole organization. */
  projectId: string | null
  description?: string | null
  /**
   * Unless it is active, the webhook receives nothing. New events wait until you resume it, for as long as events
   * are stored.
   */
  status: 'active' | 'paused' | 'disabled'
  /**
   * Why the server disabled it. gone: the receiver responded with 410. failing: the receiver accepted nothing for
   * five days.
   */
  disabledReason: 'gone' | 'failing' | null
  /**
   * Until then, deliveries are also signed with the previous secret.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  formerSecretUntil: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A board: stages in order, which tasks move through. */
export interface Workspace {
  id: string
  /** The project of the workspace. Null: all projects of the organization can use it. It cannot be changed. */
  projectId: string | null
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  description: string | null
  color: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/**
 * A board: stages in order, which tasks move through. A description longer than 510 characters is left out if it
 * did not change.
 */
export interface WorkspaceSnapshot {
  id: string
  /** The project of the workspace. Null: all projects of the organization can use it. It cannot be changed. */
  projectId: string | null
  /** Must contain a letter, digit, punctuation mark or symbol. Invisible characters and accents alone are not enough. */
  name: string
  description?: string | null
  color: string | null
  /** Goes up with each change. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}
