// made from the table of routes by `npm run generate`

export type EventType =
  | 'organization.created'
  | 'organization.updated'
  | 'organization.deleted'
  | 'organization.restored'
  | 'member.created'
  | 'member.updated'
  | 'member.deleted'
  | 'member.restored'
  | 'member.erased'
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
  | 'member.deleted'
  | 'member.restored'
  | 'member.erased'
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
  /** Whose key it is. */
  memberId: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Its first characters, to tell keys apart. */
  prefix: string
  /** What the key may do, within the role of its member. */
  scopes: ('read' | 'write')[]
  /** Who made it; null: the operator, or the command line. */
  createdBy: string | null
  /** The key that it was made with. Shown to owners, admins and whoever made it. */
  createdWith: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  expiresAt: string | null
  /**
   * Kept to the minute.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  lastUsedAt: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  revokedAt: string | null
  /** Counts the changes. */
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
  /** Counts the changes. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Begins the keys of its tasks (WEB-12); unique in the organization; fixed. */
  key: string
  color: string | null
  status: 'active' | 'archived'
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  /** Counts the changes. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
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
  /** Counts the changes. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  color: string | null
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** One result for each operation, in their order. */
export interface BulkResults {
  results: {
    status: number
    location?: string
    etag?: string
    /** The answer of the operation; null where it has none. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
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
  /** Counts the changes. */
  version?: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt?: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt?: string
  assignees?: Member[]
  tags?: Tag[]
  /** The subtasks of the task, in order: up to 1000; a page shares 2000 evenly among its items. */
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
  /** The members that its subtasks are assigned to, each once: up to 1000; a page shares 1000 evenly among its items. */
  subtaskAssignees?: Member[]
  /** True if there are more. Use `GET /subtasks?taskId=…&include=assignee` to get all. */
  moreSubtaskAssignees?: true
  /**
   * The comments on the task, newest first, each with its author: up to 50; a page shares 100 evenly among its
   * items.
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
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A comment on a task. A body of more than 510 characters is left out where it did not change. */
export interface CommentSnapshot {
  id: string
  taskId: string
  /** The project of the task. */
  projectId: string
  authorId: string
  /** The text, in Markdown. */
  body?: string
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** Something that was deleted and can be restored. */
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
   * The name; of a comment and of time the beginning of its text, of a webhook its address. Null: time without a
   * description.
   */
  name: string | null
  /** The project that it is in; of a project itself. */
  projectId: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  deletedAt: string
  /** The member who deleted it. Null: the operator, or the event of it is no longer kept. */
  deletedBy: string | null
  /**
   * 30 days after it was deleted.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  restorableUntil: string
}

/** An event on its way to a webhook. */
export interface Delivery {
  id: string
  webhookId: string
  /** The `webhook-id` of each attempt. */
  eventId: string
  /** Counts the events of the organization, without gaps, in the order in which they took effect. */
  sequence: number
  eventType: string
  /** pending: it is tried again. failed: it is tried no more, unless it is redelivered. */
  status: 'pending' | 'delivered' | 'failed'
  /** The last 20, in their order. */
  attempts: {
    /** As `2026-01-31T09:30:00.000Z`. */
    at: string
    /** Of the answer; null: there was none. */
    status: number | null
    /** How long it took, in milliseconds. */
    ms: number
    /** Why there was no answer. */
    error: string | null
    /** How the answer begins. */
    answer: string | null
  }[]
  attemptCount: number
  /**
   * Not before; null: none is due.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  nextAttemptAt: string | null
  /** Counts the changes. */
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
  'member.deleted': Member
  'member.restored': Member
  'member.erased': Member
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

/** An event of one type. Something that changed: what, by whom, and from what to what. */
export interface EventOf<Type extends EventType> {
  /** Stays the same wherever and however often the event is shown. */
  id: string
  /** Counts the events of the organization, without gaps, in the order in which they took effect. */
  sequence: number
  /** The noun and what happened to it. */
  type: Type
  actor: {
    /** Null: the operator, the command line, or the server itself. */
    memberId: string | null
    /** Shown to owners, admins and the member itself. */
    apiKeyId: string | null
  }
  requestId: string
  /** What it happened to. A member of a project has the id of the member. */
  resource: {
    type: string
    id: string
  }
  /** Null: it belongs to the whole organization. */
  projectId: string | null
  /** The fields that an update changed. */
  changes: Record<
    string,
    {
      from?: unknown
      to: unknown
      /** Of texts longer than 510 characters only the beginning stands here, and an ellipsis. */
      shortened?: true
    }
  >
  /**
   * The resource after the change; when it was deleted, before it. A long text is left out where the change did not
   * touch it.
   */
  snapshot: EventSnapshots[Type] & Record<string, unknown>
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
}

/**
 * Something that changed: what, by whom, and from what to what.
 *
 * Its `type` tells what its `snapshot` is. A newer server may send further types: leave out those that you do not
 * know.
 */
export type Event = { [Type in EventType]: EventOf<Type> }[EventType]

/** Which events there are. */
export interface EventsHead {
  /** The oldest event that is kept. Where none is, the one to come: latest + 1. */
  oldest: number
  /** The latest event of the organization, kept or not, whether you see it or not; 0 before the first. */
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
  /** Counts the changes. */
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

/** A new organization, its owner and the first key of the owner. */
export interface FoundedOrganization {
  organization: Organization
  owner: Member
  apiKey: NewApiKey
}

/** An administrative act. */
export interface AuditEntry {
  /** Stays the same wherever and however often the event is shown. */
  id: string
  /** Counts the events of the organization, without gaps, in the order in which they took effect. */
  sequence: number
  /** The noun and what happened to it. */
  type: string
  actor: {
    /** Null: the operator, the command line, or the server itself. */
    memberId: string | null
    apiKeyId: string | null
    /** operator: who runs the instance, by its token or on the command line. server: what runs by itself. */
    kind: 'member' | 'operator' | 'server'
  }
  requestId: string
  /** What it was done to. A member of a project has the id of the member. */
  resource: {
    type: string
    id: string
    /** What it was called then. Null: it has no name, or its event is no longer kept. */
    name: string | null
  }
  /** Null: it belongs to the whole organization. */
  projectId: string | null
  /** The fields that an update changed. Once its event is no longer kept, of most of them without their values: {}. */
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
  /** Who did it; null as actor.memberId is. */
  member: NamedMember | null
}

/** An administrative act, with what `include` asked for. */
export type FullAuditEntry = AuditEntry & Partial<AuditEntryParts>

/** What `include` adds to a Comment, under the word that asks for it. */
export interface CommentParts {
  author: NamedMember | null
  task: BriefTask | null
  project: BriefProject | null
}

/** A comment, with what `include` asked for. */
export type FullComment = Comment & Partial<CommentParts>

/** Who the API key belongs to. */
export interface Me {
  member: Member
  organization: Organization
  apiKey: ApiKey
}

/** What `include` adds to a Me, under the word that asks for it. */
export interface MeParts {
  /** Your timer: null when none runs. */
  timer: RunningTime | null
  eventsHead: EventsHead
  /**
   * What you may do in the projects that you were added to, the newest first. Owners and admins lead all others,
   * too.
   */
  projectRoles: GrantedRole[]
}

/** Who the API key belongs to, with what `include` asked for. */
export type FullMe = Me & Partial<MeParts>

/** What `include` adds to a Member, under the word that asks for it. */
export interface MemberParts {
  /**
   * Those of your projects that it was added to, the newest first: up to 1000; a page shares 1000 evenly among its
   * items.
   */
  projects: BriefProject[]
  /** Where not all of them are here: GET /projects?memberId= has them. */
  moreProjects?: true
}

/** A member, with what `include` asked for. */
export type FullMember = Member & Partial<MemberParts>

/** An event in the history of a task. */
export interface PastEvent {
  /** Stays the same wherever and however often the event is shown. */
  id: string
  /** Counts the events of the organization, without gaps, in the order in which they took effect. */
  sequence: number
  /** The noun and what happened to it. */
  type: string
  actor: {
    /** Null: the operator, the command line, or the server itself. */
    memberId: string | null
    /** Shown to owners, admins and the member itself. */
    apiKeyId: string | null
  }
  requestId: string
  /** What it happened to. A member of a project has the id of the member. */
  resource: {
    type: string
    id: string
  }
  /** Null: it belongs to the whole organization. */
  projectId: string | null
  /** The fields that an update changed. */
  changes: Record<
    string,
    {
      from?: unknown
      to: unknown
      /** Of texts longer than 510 characters only the beginning stands here, and an ellipsis. */
      shortened?: true
    }
  >
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  resourceId: string
}

/** What `include` adds to a PastEvent, under the word that asks for it. */
export interface PastEventParts {
  /** Who did it; null as actor.memberId is. */
  member: NamedMember | null
}

/** An event in the history of a task, with what `include` asked for. */
export type FullPastEvent = PastEvent & Partial<PastEventParts>

/** What `include` adds to a Project, under the word that asks for it. */
export interface ProjectParts {
  progress: Progress
  /** By name: up to 1000; a page shares 1000 evenly among its items. */
  members: ProjectMember[]
  /** Where not all of its members are here: GET /projects/{id}/members has them. */
  moreMembers?: true
}

/** A project, with what `include` asked for. */
export type FullProject = Project & Partial<ProjectParts>

/** What `include` adds to a Stage, under the word that asks for it. */
export interface StageParts {
  /** The number of tasks in the stage that you can see. */
  taskCount: number
}

/** A stage, with what `include` asked for. */
export type FullStage = Stage & Partial<StageParts>

/** What `include` adds to a Subtask, under the word that asks for it. */
export interface SubtaskParts {
  assignee: Member | null
  task: BriefTask | null
  project: BriefProject | null
}

/** A subtask, with what `include` asked for. */
export type FullSubtask = Subtask & Partial<SubtaskParts>

/** What `include` adds to a Task, under the word that asks for it. */
export interface TaskParts {
  assignees: Member[]
  tags: Tag[]
  /** The subtasks of the task, in order: up to 1000; a page shares 2000 evenly among its items. */
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
  /** The members that its subtasks are assigned to, each once: up to 1000; a page shares 1000 evenly among its items. */
  subtaskAssignees: Member[]
  /** True if there are more. Use `GET /subtasks?taskId=…&include=assignee` to get all. */
  moreSubtaskAssignees?: true
  /**
   * The comments on the task, newest first, each with its author: up to 50; a page shares 100 evenly among its
   * items.
   */
  comments: AuthoredComment[]
  /** True if there are more. Use `GET /tasks/{id}/comments` to get all. */
  moreComments?: true
}

/** A task, with what `include` asked for. */
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

/** A time entry, with what `include` asked for. */
export type FullTimeEntry = TimeEntry & Partial<TimeEntryParts>

/** What `include` adds to a Webhook, under the word that asks for it. */
export interface WebhookParts {
  progress: {
    /** Every event up to this sequence was taken on: sent, tried, or not wanted. */
    position: number
    /** As `2026-01-31T09:30:00.000Z`. */
    lastSuccessAt: string | null
    /**
     * Null: what was sent last was received.
     *
     * As `2026-01-31T09:30:00.000Z`.
     */
    failingSince: string | null
    /**
     * No new event is tried before, as several in a row failed.
     *
     * As `2026-01-31T09:30:00.000Z`.
     */
    retryAt: string | null
  }
}

/** A webhook, with what `include` asked for. */
export type FullWebhook = Webhook & Partial<WebhookParts>

/** The role that was given in a project. */
export interface GrantedRole {
  projectId: string
  /** Owners and admins of the organization lead every project, whatever was given here. */
  role: 'lead' | 'contributor' | 'viewer'
}

/** A user in an organization. */
export interface Member {
  id: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Unique in the organization; kept in lower case. */
  email: string
  role: 'owner' | 'admin' | 'member'
  /** IANA time zone; null: the organization's. */
  timezone: string | null
  /** The keys of a deactivated member are dead. */
  status: 'active' | 'deactivated'
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** Who did something: a member, also after it was removed. */
export interface NamedMember {
  id: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Null once it is removed. */
  email: string | null
  status: 'active' | 'deactivated' | 'removed'
}

/** A key just made; the secret is never shown again. */
export interface NewApiKey {
  id: string
  /** Whose key it is. */
  memberId: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Its first characters, to tell keys apart. */
  prefix: string
  /** What the key may do, within the role of its member. */
  scopes: ('read' | 'write')[]
  /** Who made it; null: the operator, or the command line. */
  createdBy: string | null
  /** The key that it was made with. Shown to owners, admins and whoever made it. */
  createdWith: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  expiresAt: string | null
  /**
   * Kept to the minute.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  lastUsedAt: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  revokedAt: string | null
  /** Send it as `Authorization: Bearer <secret>`. */
  secret: string
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A webhook with its secret, which is never shown again. */
export interface NewWebhook {
  id: string
  /**
   * Where events are sent to, as POST: a public address, by https; others where the operator allows them by
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url: string
  /** Which events are sent: `task.created`, or all of a noun by `task.*`. Empty: all. */
  types: EventFilter[]
  /** Only events of this project; null: of the whole organization. */
  projectId: string | null
  description: string | null
  /** Unless active nothing is sent: what happens waits, for as long as events are kept, until it is resumed. */
  status: 'active' | 'paused' | 'disabled'
  /** Why the server disabled it. gone: the receiver answered 410. failing: for five days nothing was received. */
  disabledReason: 'gone' | 'failing' | null
  /**
   * Until when deliveries are also signed with the secret before the last rotation.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  formerSecretUntil: string | null
  /** Verifies the signatures of deliveries, by any library of Standard Webhooks. */
  secret: string
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A tenant. */
export interface Organization {
  id: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** IANA time zone. */
  timezone: string
  weekStart: 'monday' | 'saturday' | 'sunday'
  settings: {
    /** What starting a timer does to a running one. */
    timerPolicy: 'stop_previous' | 'reject'
    /** Whether a member's entries may overlap. */
    overlapPolicy: 'allow' | 'reject'
    /**
     * Time before this day can no longer be changed.
     *
     * As `2026-01-31`.
     */
    timeLockedBefore: string | null
  }
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** Tasks by the category of their stage, those overdue, and time. */
export interface Progress {
  /** Tasks in stages of this category. These four together are all tasks. */
  todo: number
  doing: number
  done: number
  /** Open tasks that stand on no board. */
  offBoard: number
  /** Open tasks that were due before today, in the time zone of the organization. */
  overdue: number
  /** Of all tasks that have an estimate. */
  estimatedSeconds: number
  /** Time on all tasks; what runs counts so far. */
  trackedSeconds: number
}

/** Work that belongs together and the people who see it. */
export interface Project {
  id: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Begins the keys of its tasks (WEB-12); unique in the organization; fixed. */
  key: string
  description: string | null
  color: string | null
  status: 'active' | 'archived'
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A member of a project and its role there. */
export interface ProjectMember {
  memberId: string
  projectId: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Owners and admins of the organization lead every project, whatever was given here. */
  role: 'lead' | 'contributor' | 'viewer'
  /** What was given here; it counts once the member does not lead the organization any more. Null: nothing was given. */
  grantedRole: 'lead' | 'contributor' | 'viewer' | null
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A project by its names. */
export interface ProjectOfHit {
  id: string
  /** Begins the keys of its tasks (WEB-12); unique in the organization; fixed. */
  key: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
}

/**
 * Work that belongs together and the people who see it. A description of more than 510 characters is left out
 * where it did not change.
 */
export interface ProjectSnapshot {
  id: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  /** Begins the keys of its tasks (WEB-12); unique in the organization; fixed. */
  key: string
  description?: string | null
  color: string | null
  status: 'active' | 'archived'
  /** As `2026-01-31`. */
  startDate: string | null
  /** As `2026-01-31`. */
  dueDate: string | null
  /** Counts the changes. */
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
   * When the hour began.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  hour: string
  /** Null: a key that the organization never had, or does not have any more. */
  keyId: string | null
  /** Null: several, beyond those that are told apart. */
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

/** The time entry that is running, with what it is on. */
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
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
  task: BriefTask | null
  subtask: Subtask | null
}

/** What a search found, by kind. */
export interface SearchAnswer {
  /** In the order task, project, subtask, comment, time_entry; a kind of which nothing was found is left out. */
  groups: SearchGroup[]
}

/** What was found of one kind. */
export interface SearchGroup {
  kind: 'task' | 'project' | 'subtask' | 'comment' | 'time_entry'
  /** Newest first. */
  hits: SearchHit[]
  /** Goes on with this kind: `kinds=…&cursor=…`. */
  nextCursor: string | null
}

/** One thing that a search found, with what it takes to show and to open it. */
export interface SearchHit {
  kind: 'task' | 'project' | 'subtask' | 'comment' | 'time_entry'
  id: string
  /** Of a task (WEB-12) or a project (WEB). */
  key: string | null
  /** Of a task, a project or a subtask. */
  name: string | null
  /** The project that it is in; of a project itself. */
  project: ProjectOfHit
  /** The task that a subtask, a comment or time belongs to. */
  task: TaskOfHit | null
  /** Who wrote a comment, or whose time it is. */
  memberId: string | null
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  snippet: Snippet
}

/** The piece of a field in which most of what was looked for stands together. */
export interface Snippet {
  /** The field that it is cut from. */
  field: 'key' | 'name' | 'description' | 'body'
  /** As it is written there, 160 UTF-16 code units at most. */
  text: string
  /**
   * Where in `text` stands what was looked for: `text.slice(start, end)`, counted in UTF-16 code units, as
   * JavaScript, Java and C# do. Ascending; none overlaps another.
   */
  matches: {
    start: number
    end: number
  }[]
  /** The field goes on before it. */
  cutBefore: boolean
  /** The field goes on behind it. */
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
  /** Counts the changes. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
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
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A label for tasks and time entries. */
export interface Tag {
  id: string
  /** Unique in the organization, whatever its case and accents. */
  name: string
  color: string | null
  /** Counts the changes. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
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
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** A task by its names. */
export interface TaskOfHit {
  id: string
  /** The key of the project and the number of the task. */
  key: string
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
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
    /** For each of groupBy: what the group stands for; nulls: none. */
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

/** A piece of work in a project. A description of more than 510 characters is left out where it did not change. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
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
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/** What kind of work a task is. */
export interface TaskType {
  id: string
  /** Unique in the organization, whatever its case and accents. */
  name: string
  color: string | null
  icon: string | null
  /** Counts the changes. */
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
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/**
 * Time that a member worked on a task or a subtask. A description of more than 510 characters is left out where it
 * did not change.
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
  /** Counts the changes. */
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
    /** For each of groupBy: what the group stands for; nulls: none. */
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

/** An address that events are sent to. */
export interface Webhook {
  id: string
  /**
   * Where events are sent to, as POST: a public address, by https; others where the operator allows them by
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url: string
  /** Which events are sent: `task.created`, or all of a noun by `task.*`. Empty: all. */
  types: EventFilter[]
  /** Only events of this project; null: of the whole organization. */
  projectId: string | null
  description: string | null
  /** Unless active nothing is sent: what happens waits, for as long as events are kept, until it is resumed. */
  status: 'active' | 'paused' | 'disabled'
  /** Why the server disabled it. gone: the receiver answered 410. failing: for five days nothing was received. */
  disabledReason: 'gone' | 'failing' | null
  /**
   * Until when deliveries are also signed with the secret before the last rotation.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  formerSecretUntil: string | null
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/**
 * An address that events are sent to. A url or description of more than 510 characters is left out where it did
 * not change.
 */
export interface WebhookSnapshot {
  id: string
  /**
   * Where events are sent to, as POST: a public address, by https; others where the operator allows them by
   * `WEBHOOK_ALLOWED_SUBNETS`.
   */
  url?: string
  /** Which events are sent: `task.created`, or all of a noun by `task.*`. Empty: all. */
  types: EventFilter[]
  /** Only events of this project; null: of the whole organization. */
  projectId: string | null
  description?: string | null
  /** Unless active nothing is sent: what happens waits, for as long as events are kept, until it is resumed. */
  status: 'active' | 'paused' | 'disabled'
  /** Why the server disabled it. gone: the receiver answered 410. failing: for five days nothing was received. */
  disabledReason: 'gone' | 'failing' | null
  /**
   * Until when deliveries are also signed with the secret before the last rotation.
   *
   * As `2026-01-31T09:30:00.000Z`.
   */
  formerSecretUntil: string | null
  /** Counts the changes. */
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
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  description: string | null
  color: string | null
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}

/**
 * A board: stages in order, which tasks move through. A description of more than 510 characters is left out where
 * it did not change.
 */
export interface WorkspaceSnapshot {
  id: string
  /** The project of the workspace. Null: all projects of the organization can use it. It cannot be changed. */
  projectId: string | null
  /** Holds a letter, a digit, a punctuation mark or a symbol: invisible characters and accents alone name nothing. */
  name: string
  description?: string | null
  color: string | null
  /** Counts the changes. */
  version: number
  /** As `2026-01-31T09:30:00.000Z`. */
  createdAt: string
  /** As `2026-01-31T09:30:00.000Z`. */
  updatedAt: string
}
