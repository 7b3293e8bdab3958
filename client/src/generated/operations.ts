// made from the table of routes by `npm run generate`

import type { Answer } from '../answer.ts'
import type { Chosen, CursorPages, OffsetPages, Options, With } from '../signatures.ts'
import type {
  ApiKeysCreateBody,
  ApiKeysDeleteQuery,
  ApiKeysGetQuery,
  ApiKeysListQuery,
  ApiKeysRotateBody,
  AuditEntryPart,
  AuditListQuery,
  AuditRefusedSignInsListQuery,
  BoardsGetQuery,
  BulkBody,
  CommentPart,
  CommentsCreateBody,
  CommentsGetQuery,
  CommentsListQuery,
  CommentsUpdateBody,
  DeliveriesGetQuery,
  EventsListQuery,
  MeGetQuery,
  MemberPart,
  MembersCreateBody,
  MembersGetQuery,
  MembersListQuery,
  MembersUpdateBody,
  MePart,
  OrganizationDeleteQuery,
  OrganizationGetQuery,
  OrganizationsCreateBody,
  OrganizationUpdateBody,
  PastEventPart,
  ProjectPart,
  ProjectsCreateBody,
  ProjectsGetQuery,
  ProjectsListQuery,
  ProjectsMembersAddBody,
  ProjectsMembersGetQuery,
  ProjectsMembersListQuery,
  ProjectsMembersUpdateBody,
  ProjectsUpdateBody,
  ReportsTasksQuery,
  ReportsTimeQuery,
  SearchQuery,
  StagePart,
  StagesCreateBody,
  StagesDeleteQuery,
  StagesGetQuery,
  StagesListQuery,
  StagesMoveBody,
  StagesUpdateBody,
  SubtaskPart,
  SubtasksCreateBody,
  SubtasksGetQuery,
  SubtasksListQuery,
  SubtasksMoveBody,
  SubtasksUpdateBody,
  TagsCreateBody,
  TagsGetQuery,
  TagsListQuery,
  TagsUpdateBody,
  TaskPart,
  TasksCommentsListQuery,
  TasksCreateBody,
  TasksGetQuery,
  TasksHistoryListQuery,
  TasksListQuery,
  TasksMoveBody,
  TasksSubtasksListQuery,
  TasksUpdateBody,
  TaskTypesCreateBody,
  TaskTypesGetQuery,
  TaskTypesListQuery,
  TaskTypesUpdateBody,
  TimeEntriesCreateBody,
  TimeEntriesGetQuery,
  TimeEntriesListQuery,
  TimeEntriesUpdateBody,
  TimeEntryPart,
  TimerGetQuery,
  TimerStartBody,
  TimerStopBody,
  TrashListQuery,
  WebhookPart,
  WebhooksCreateBody,
  WebhooksDeliveriesListQuery,
  WebhooksGetQuery,
  WebhooksListQuery,
  WebhooksReplayBody,
  WebhooksRotateSecretBody,
  WebhooksUpdateBody,
  WorkspacesCreateBody,
  WorkspacesGetQuery,
  WorkspacesListQuery,
  WorkspacesUpdateBody,
} from './requests.ts'
import type {
  ApiKey,
  AuditEntry,
  AuditEntryParts,
  Board,
  BulkResults,
  Comment,
  CommentParts,
  DeletedItem,
  Delivery,
  Event,
  EventsHead,
  FoundedOrganization,
  Me,
  Member,
  MemberParts,
  MeParts,
  NewApiKey,
  NewWebhook,
  Organization,
  PastEvent,
  PastEventParts,
  Project,
  ProjectMember,
  ProjectParts,
  RefusedSignIn,
  SearchAnswer,
  Stage,
  StageParts,
  Subtask,
  SubtaskParts,
  Tag,
  Task,
  TaskParts,
  TaskReport,
  TaskType,
  TimeEntry,
  TimeEntryParts,
  TimeReport,
  Timer,
  Webhook,
  WebhookParts,
  Workspace,
} from './schemas.ts'

export interface OrganizationsOperations {
  /**
   * Found an organization, with its owner and a first key.
   *
   * For whoever runs the instance: Authorization carries the operator token.
   *
   * Access: The operator token.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const foundedOrganization = await tw.organizations.create({ name: 'Acme', owner: { name: 'Ann Example', email: 'ann@example.com' } })
   */
  create(body: OrganizationsCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<FoundedOrganization>
  /**
   * Restore a deleted organization.
   *
   * For whoever runs the instance, within 30 days: Authorization carries the operator token. Its keys open again
   * what they opened.
   *
   * Access: The operator token.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const organization = await tw.organizations.restore(organizationId)
   */
  restore(organizationId: string, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Organization>
}

export interface OrganizationOperations {
  /**
   * Read your organization.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const organization = await tw.organization.get()
   */
  get<const Fields extends readonly (keyof Organization)[] = never>(
    query?: OrganizationGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Organization, Fields>>
  /**
   * Edit your organization.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const organization = await tw.organization.update({ name: 'Acme' })
   */
  update(body: OrganizationUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Organization>
  /**
   * Delete your organization.
   *
   * At once every key of it opens nothing any more, that of the caller included, and its webhooks are sent nothing.
   * For 30 days whoever runs the instance can restore it; then all that was stored of it is taken away for good.
   *
   * Access: An API key with the scope `write`. Organization role: owner.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.organization.delete({ name: 'Acme' })
   */
  delete(query: OrganizationDeleteQuery, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface MeOperations {
  /**
   * Read who you are: your member, your organization, your key.
   *
   * A page that follows events begins with this: `eventsHead` is read before the rest, so nothing lies between it
   * and what is read from then on.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const me = await tw.me.get({ include: ['timer'] })
   */
  get<const Include extends readonly MePart[] = readonly []>(
    query?: MeGetQuery<Include>,
    options?: Options<'ifNoneMatch'>,
  ): Answer<With<Me, MeParts, Include>>
}

export interface MembersOperations {
  /**
   * List members, by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const member of tw.members.list({ include: ['projects'] })) {
   *   console.log(member.name, member.projects)
   * }
   */
  list<
    const Include extends readonly MemberPart[] = readonly [],
    const Fields extends readonly (keyof Member)[] = never,
  >(
    query?: MembersListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<Chosen<Member, Fields>, MemberParts, Include>>
  /**
   * Add a member to the organization.
   *
   * The member has no API key yet; see POST /api-keys.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const member = await tw.members.create({ name: 'Ann Example', email: 'ann@example.com' })
   */
  create(body: MembersCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Member>
  /**
   * Read a member.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const member = await tw.members.get(memberId, { include: ['projects'] })
   */
  get<
    const Include extends readonly MemberPart[] = readonly [],
    const Fields extends readonly (keyof Member)[] = never,
  >(
    memberId: string,
    query?: MembersGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Member, Fields>, MemberParts, Include>>
  /**
   * Edit a member, change its role, deactivate it.
   *
   * The keys of a member who is deactivated die at once, and its timer ends. Of a member who is promoted those die
   * that were made by somebody who does not stand as high, and what was made with them. Keys that it made for others
   * die with its deactivation, and those for who stands above it now with its demotion: see API keys.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const member = await tw.members.update(memberId, { name: 'Ann Example' })
   */
  update(memberId: string, body: MembersUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Member>
  /**
   * Remove a member; its keys die at once, its assignments and its timer end, its time stays.
   *
   * From now on nothing is shown as assigned to it. Where it was assigned to many tasks, their events follow within
   * minutes. Keys that it made for others are revoked: see API keys.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.members.delete(memberId)
   */
  delete(memberId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted member, with what was deleted with it.
   *
   * Within 30 days, unless it was erased. Its keys work again; projects and assignments are given to it anew.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const member = await tw.members.restore(memberId)
   */
  restore(memberId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Member>
  /**
   * Erase a member: it is removed, and has no name and no e-mail address any more. Nothing brings them back.
   *
   * For a member, and for one that was removed already, whenever that was. It is called Former member wherever it
   * did something; its time and the sums of reports stay. Its keys are revoked. Within minutes its name and address
   * are gone from events, stored answers, and the log of deliveries as well. What it wrote stays, and so does what
   * others wrote about it.
   *
   * Access: An API key with the scope `write`. Organization role: owner. The role of that member must not be above
   * yours.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const member = await tw.members.erase(memberId)
   */
  erase(memberId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Member>
}

export interface ApiKeysOperations {
  /**
   * List API keys, newest first: your own; to owners and admins all.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const apiKey of tw.apiKeys.list({ memberId: 'me' })) {
   *   console.log(apiKey.name)
   * }
   */
  list<const Fields extends readonly (keyof ApiKey)[] = never>(
    query?: ApiKeysListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<Chosen<ApiKey, Fields>>
  /**
   * Make an API key; the answer alone holds its secret.
   *
   * It never outlives the key in use. A member has 100 keys at most that are alive.
   *
   * Access: An API key with the scope `write`. For another member in `memberId`: owner or admin, and their role must
   * not be above yours. For yourself: any member.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const newApiKey = await tw.apiKeys.create({ name: 'Web site' })
   */
  create(body: ApiKeysCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<NewApiKey>
  /**
   * Read an API key, without its secret.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const apiKey = await tw.apiKeys.get(apiKeyId)
   */
  get<const Fields extends readonly (keyof ApiKey)[] = never>(
    apiKeyId: string,
    query?: ApiKeysGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<ApiKey, Fields>>
  /**
   * Make the successor of an API key; the old one works on for a while.
   *
   * The successor never outlives the key in use: an expiring key that rotates itself keeps its end.
   *
   * Access: An API key with the scope `write`. Your own key, or if you are owner or admin, the key of a member whose
   * role is not above yours.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const newApiKey = await tw.apiKeys.rotate(apiKeyId, { overlapHours: 1 })
   */
  rotate(
    apiKeyId: string,
    body?: ApiKeysRotateBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<NewApiKey>
  /**
   * Revoke an API key at once, and the keys that were made with it.
   *
   * Keys that were made with those are revoked too, and so on, whoever holds them. The key in use is kept, unless it
   * is the one named. With `descendants=false` the named key alone is revoked. Revoked keys stay listed for 30 days,
   * and for as long as there are keys that were made with them.
   *
   * Access: An API key with the scope `write`. Your own key, or if you are owner or admin, the key of a member whose
   * role is not above yours.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.apiKeys.delete(apiKeyId)
   */
  delete(apiKeyId: string, query?: ApiKeysDeleteQuery, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface ProjectsMembersOperations {
  /**
   * List the members of a project, by name.
   *
   * Access: An API key with the scope `read`.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const projectMember of tw.projects.members.list('WEB')) {
   *   console.log(projectMember.name)
   * }
   */
  list<const Fields extends readonly (keyof ProjectMember)[] = never>(
    projectId: string,
    query?: ProjectsMembersListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<Chosen<ProjectMember, Fields>>
  /**
   * Add a member to a project.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const projectMember = await tw.projects.members.add('WEB', { memberId, role: 'lead' })
   */
  add(
    projectId: string,
    body: ProjectsMembersAddBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<ProjectMember>
  /**
   * Read a member of a project.
   *
   * Access: An API key with the scope `read`.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const projectMember = await tw.projects.members.get('WEB', memberId)
   */
  get<const Fields extends readonly (keyof ProjectMember)[] = never>(
    projectId: string,
    memberId: string,
    query?: ProjectsMembersGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<ProjectMember, Fields>>
  /**
   * Change the role of a member in a project.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const projectMember = await tw.projects.members.update('WEB', memberId, { role: 'lead' })
   */
  update(
    projectId: string,
    memberId: string,
    body: ProjectsMembersUpdateBody,
    options?: Options<'ifMatch' | 'dryRun'>,
  ): Answer<ProjectMember>
  /**
   * Take a member off a project.
   *
   * What the member has running there it can still stop.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.projects.members.remove('WEB', memberId)
   */
  remove(projectId: string, memberId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface ProjectsOperations {
  /**
   * List projects, newest first.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const project of tw.projects.list({ memberId: 'me', include: ['progress'] })) {
   *   console.log(project.name, project.progress)
   * }
   */
  list<
    const Include extends readonly ProjectPart[] = readonly [],
    const Fields extends readonly (keyof Project)[] = never,
  >(
    query?: ProjectsListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<Chosen<Project, Fields>, ProjectParts, Include>>
  /**
   * Create a project; its creator leads it.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const project = await tw.projects.create({ name: 'Web site' })
   */
  create(body: ProjectsCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Project>
  /**
   * Read a project, by its id or its key (WEB).
   *
   * Access: An API key with the scope `read`.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const project = await tw.projects.get('WEB', { include: ['progress'] })
   */
  get<
    const Include extends readonly ProjectPart[] = readonly [],
    const Fields extends readonly (keyof Project)[] = never,
  >(
    projectId: string,
    query?: ProjectsGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Project, Fields>, ProjectParts, Include>>
  /**
   * Edit a project.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const project = await tw.projects.update('WEB', { name: 'Web site' })
   */
  update(projectId: string, body: ProjectsUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Project>
  /**
   * Archive a project: it stays readable, and all writes in it are refused.
   *
   * Whatever runs in it is stopped.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const project = await tw.projects.archive('WEB')
   */
  archive(projectId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Project>
  /**
   * Unarchive a project.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const project = await tw.projects.unarchive('WEB')
   */
  unarchive(projectId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Project>
  /**
   * Delete a project and all that is in it.
   *
   * All in it becomes invisible at once, be it finalized or locked; whatever runs in it is stopped.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.projects.delete('WEB')
   */
  delete(projectId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted project, with what was deleted with it.
   *
   * Within 30 days. None may have taken the place of its tasks in stages with a limit meanwhile, nor, where entries
   * may not overlap, of its time. Tasks whose stage was deleted meanwhile return off the board, up to 9,999; where
   * there are more, restore these stages first. By a key that several deleted projects had, the one deleted last.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const project = await tw.projects.restore('WEB')
   */
  restore(projectId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Project>
  members: ProjectsMembersOperations
}

export interface WorkspacesOperations {
  /**
   * List workspaces.
   *
   * Sorted by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const workspace of tw.workspaces.list({ projectId })) {
   *   console.log(workspace.name)
   * }
   */
  list<const Fields extends readonly (keyof Workspace)[] = never>(
    query?: WorkspacesListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<Chosen<Workspace, Fields>>
  /**
   * Create a workspace.
   *
   * You can create its first stages in the same request.
   *
   * Access: An API key with the scope `write`. Role in the project: lead. Without `projectId`: organization role
   * owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const workspace = await tw.workspaces.create({ name: 'Board' })
   */
  create(body: WorkspacesCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Workspace>
  /**
   * Get a workspace.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const workspace = await tw.workspaces.get(workspaceId)
   */
  get<const Fields extends readonly (keyof Workspace)[] = never>(
    workspaceId: string,
    query?: WorkspacesGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Workspace, Fields>>
  /**
   * Update a workspace.
   *
   * Access: An API key with the scope `write`. Project role: lead. Without a project: owner or admin of the
   * organization.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const workspace = await tw.workspaces.update(workspaceId, { name: 'Board' })
   */
  update(workspaceId: string, body: WorkspacesUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Workspace>
  /**
   * Delete a workspace.
   *
   * The stages of the workspace are deleted with it. The server refuses this if the workspace still contains tasks.
   *
   * Access: An API key with the scope `write`. Project role: lead. Without a project: owner or admin of the
   * organization.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.workspaces.delete(workspaceId)
   */
  delete(workspaceId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted workspace, with what was deleted with it.
   *
   * Within 30 days. What it belongs to must be there.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const workspace = await tw.workspaces.restore(workspaceId)
   */
  restore(workspaceId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Workspace>
}

export interface StagesOperations {
  /**
   * List the stages of a workspace.
   *
   * In the same order as on the board.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const stage of tw.stages.list(workspaceId, { include: ['taskCount'] })) {
   *   console.log(stage.name, stage.taskCount)
   * }
   */
  list<const Include extends readonly StagePart[] = readonly [], const Fields extends readonly (keyof Stage)[] = never>(
    workspaceId: string,
    query?: StagesListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<Chosen<Stage, Fields>, StageParts, Include>>
  /**
   * Create a stage.
   *
   * The stage goes to the end of the workspace. A workspace can have at most 100 stages.
   *
   * Access: An API key with the scope `write`. Project role: lead. Without a project: owner or admin of the
   * organization.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const stage = await tw.stages.create(workspaceId, { name: 'Doing' })
   */
  create(
    workspaceId: string,
    body: StagesCreateBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<Stage>
  /**
   * Get a stage.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const stage = await tw.stages.get(stageId, { include: ['taskCount'] })
   */
  get<const Include extends readonly StagePart[] = readonly [], const Fields extends readonly (keyof Stage)[] = never>(
    stageId: string,
    query?: StagesGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Stage, Fields>, StageParts, Include>>
  /**
   * Update a stage.
   *
   * If you change the category to or from `done`, the server updates all tasks in the stage. The server refuses this
   * if the stage has 10,000 or more tasks.
   *
   * Access: An API key with the scope `write`. Project role: lead. Without a project: owner or admin of the
   * organization.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const stage = await tw.stages.update(stageId, { name: 'Doing' })
   */
  update(stageId: string, body: StagesUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Stage>
  /**
   * Move a stage.
   *
   * Moves the stage before or after another stage of the same workspace.
   *
   * Access: An API key with the scope `write`. Project role: lead. Without a project: owner or admin of the
   * organization.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const stage = await tw.stages.move(stageId, { beforeId })
   */
  move(stageId: string, body: StagesMoveBody, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Stage>
  /**
   * Delete a stage.
   *
   * If the stage contains tasks, send `moveTasksTo` to move them to another stage.
   *
   * Access: An API key with the scope `write`. Project role: lead. Without a project: owner or admin of the
   * organization.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.stages.delete(stageId)
   */
  delete(stageId: string, query?: StagesDeleteQuery, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted stage, with what was deleted with it.
   *
   * Within 30 days. What it belongs to must be there.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const stage = await tw.stages.restore(stageId)
   */
  restore(stageId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Stage>
}

export interface TaskTypesOperations {
  /**
   * List task types, by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const taskType of tw.taskTypes.list()) {
   *   console.log(taskType.name)
   * }
   */
  list<const Fields extends readonly (keyof TaskType)[] = never>(
    query?: TaskTypesListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<Chosen<TaskType, Fields>>
  /**
   * Create a task type.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const taskType = await tw.taskTypes.create({ name: 'Bug' })
   */
  create(body: TaskTypesCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<TaskType>
  /**
   * Read a task type.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const taskType = await tw.taskTypes.get(taskTypeId)
   */
  get<const Fields extends readonly (keyof TaskType)[] = never>(
    taskTypeId: string,
    query?: TaskTypesGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<TaskType, Fields>>
  /**
   * Edit a task type.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const taskType = await tw.taskTypes.update(taskTypeId, { name: 'Bug' })
   */
  update(taskTypeId: string, body: TaskTypesUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<TaskType>
  /**
   * Delete a task type; it comes off its tasks.
   *
   * From now on no task is shown with it. Where many are of it, their events follow within minutes.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.taskTypes.delete(taskTypeId)
   */
  delete(taskTypeId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted task type, with what was deleted with it.
   *
   * Within 30 days. The tasks that were of it are no longer.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const taskType = await tw.taskTypes.restore(taskTypeId)
   */
  restore(taskTypeId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<TaskType>
}

export interface TagsOperations {
  /**
   * List tags, by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const tag of tw.tags.list()) {
   *   console.log(tag.name)
   * }
   */
  list<const Fields extends readonly (keyof Tag)[] = never>(
    query?: TagsListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<Chosen<Tag, Fields>>
  /**
   * Create a tag.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const tag = await tw.tags.create({ name: 'Urgent' })
   */
  create(body: TagsCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Tag>
  /**
   * Read a tag.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const tag = await tw.tags.get(tagId)
   */
  get<const Fields extends readonly (keyof Tag)[] = never>(
    tagId: string,
    query?: TagsGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Tag, Fields>>
  /**
   * Edit a tag.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const tag = await tw.tags.update(tagId, { name: 'Urgent' })
   */
  update(tagId: string, body: TagsUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Tag>
  /**
   * Delete a tag; it comes off all that bear it.
   *
   * From now on nothing is shown with it. Where many bear it, their events follow within minutes.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.tags.delete(tagId)
   */
  delete(tagId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted tag, with what was deleted with it.
   *
   * Within 30 days. What bore it bears it no longer.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const tag = await tw.tags.restore(tagId)
   */
  restore(tagId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Tag>
}

export interface TasksSubtasksOperations {
  /**
   * List the subtasks of a task.
   *
   * In the same order as in the task.
   *
   * Access: An API key with the scope `read`.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const subtask of tw.tasks.subtasks.list('WEB-12', { include: ['assignee'] })) {
   *   console.log(subtask.name, subtask.assignee)
   * }
   */
  list<
    const Include extends readonly SubtaskPart[] = readonly [],
    const Fields extends readonly (keyof Subtask)[] = never,
  >(
    taskId: string,
    query?: TasksSubtasksListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<Chosen<Subtask, Fields>, SubtaskParts, Include>>
}

export interface TasksCommentsOperations {
  /**
   * List the comments on a task.
   *
   * Oldest first.
   *
   * Access: An API key with the scope `read`.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const comment of tw.tasks.comments.list('WEB-12', { include: ['author'] })) {
   *   console.log(comment.body, comment.author)
   * }
   */
  list<
    const Include extends readonly CommentPart[] = readonly [],
    const Fields extends readonly (keyof Comment)[] = never,
  >(
    taskId: string,
    query?: TasksCommentsListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<Chosen<Comment, Fields>, CommentParts, Include>>
}

export interface TasksHistoryOperations {
  /**
   * List what happened to a task, newest first.
   *
   * In the last 30 days, or as long as the setting EVENT_RETENTION says.
   *
   * Access: An API key with the scope `read`.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const pastEvent of tw.tasks.history.list('WEB-12', { include: ['member'] })) {
   *   console.log(pastEvent.type, pastEvent.member)
   * }
   */
  list<const Include extends readonly PastEventPart[] = readonly []>(
    taskId: string,
    query?: TasksHistoryListQuery<Include>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<PastEvent, PastEventParts, Include>>
}

export interface TasksOperations {
  /**
   * List tasks.
   *
   * Newest first, unless you send `sort`.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const task of tw.tasks.list({ assigneeId: 'me', include: ['assignees'] })) {
   *   console.log(task.name, task.assignees)
   * }
   */
  list<const Include extends readonly TaskPart[] = readonly [], const Fields extends readonly (keyof Task)[] = never>(
    query?: TasksListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): CursorPages<With<Chosen<Task, Fields>, TaskParts, Include>>
  /**
   * Create a task.
   *
   * If you send a workspace without a stage, the task goes to the first stage of the workspace.
   *
   * Access: An API key with the scope `write`. Role in the project: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const task = await tw.tasks.create({ name: 'Paint the fence', projectId })
   */
  create(body: TasksCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Task>
  /**
   * Get a task.
   *
   * You can use its id or its key, such as WEB-12.
   *
   * Access: An API key with the scope `read`.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const task = await tw.tasks.get('WEB-12', { include: ['assignees'] })
   */
  get<const Include extends readonly TaskPart[] = readonly [], const Fields extends readonly (keyof Task)[] = never>(
    taskId: string,
    query?: TasksGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Task, Fields>, TaskParts, Include>>
  /**
   * Update a task.
   *
   * You can also move the task to another stage or workspace.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const task = await tw.tasks.update('WEB-12', { name: 'Paint the fence' })
   */
  update(taskId: string, body: TasksUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Task>
  /**
   * Move a task.
   *
   * Moves the task to another stage or workspace, or before or after another task. If the task is already there,
   * nothing changes.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const task = await tw.tasks.move('WEB-12', { stageId })
   */
  move(taskId: string, body?: TasksMoveBody, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Task>
  /**
   * Delete a task.
   *
   * The subtasks, comments and time entries of the task are deleted with it. Running timers on it are stopped. The
   * server refuses this if a subtask is finalized, or if some of the time is locked.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.tasks.delete('WEB-12')
   */
  delete(taskId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted task, with what was deleted with it.
   *
   * Within 30 days. What it belongs to must be there.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const task = await tw.tasks.restore('WEB-12')
   */
  restore(taskId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Task>
  subtasks: TasksSubtasksOperations
  comments: TasksCommentsOperations
  history: TasksHistoryOperations
}

export interface BoardsOperations {
  /**
   * Get a board.
   *
   * Returns the stages of a workspace in order. Each stage has the number of its tasks and the first of these tasks.
   * The response has at most 1000 tasks, shared evenly among the stages. This limit is 500 with `include`, and 100
   * with descriptions or comments. `stageId` and `stageCategory` choose the stages. The other filters choose the
   * tasks that are counted and returned.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const board = await tw.boards.get(workspaceId, { assigneeId: 'me', include: ['assignees'] })
   */
  get<const Include extends readonly TaskPart[] = readonly [], const Fields extends readonly (keyof Task)[] = never>(
    workspaceId: string,
    query?: BoardsGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): Answer<
    Board<
      With<
        Chosen<Task, Fields, 'id' | 'key' | 'name' | 'typeId' | 'priority' | 'assigneeIds' | 'tagIds' | 'dueDate'>,
        TaskParts,
        Include
      >
    >
  >
}

export interface SubtasksOperations {
  /**
   * Create a subtask.
   *
   * The subtask goes to the end of the task. A task can have at most 1000 subtasks.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.create('WEB-12', { name: 'Buy paint' })
   */
  create(
    taskId: string,
    body: SubtasksCreateBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<Subtask>
  /**
   * List subtasks.
   *
   * Returns the subtasks of all tasks that you can see. Newest first, unless you send `sort`.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const subtask of tw.subtasks.list({ assigneeId: 'me', include: ['assignee'] })) {
   *   console.log(subtask.name, subtask.assignee)
   * }
   */
  list<
    const Include extends readonly SubtaskPart[] = readonly [],
    const Fields extends readonly (keyof Subtask)[] = never,
  >(
    query?: SubtasksListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): CursorPages<With<Chosen<Subtask, Fields>, SubtaskParts, Include>>
  /**
   * Get a subtask.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.get(subtaskId, { include: ['assignee'] })
   */
  get<
    const Include extends readonly SubtaskPart[] = readonly [],
    const Fields extends readonly (keyof Subtask)[] = never,
  >(
    subtaskId: string,
    query?: SubtasksGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Subtask, Fields>, SubtaskParts, Include>>
  /**
   * Update a subtask.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.update(subtaskId, { name: 'Buy paint' })
   */
  update(subtaskId: string, body: SubtasksUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Subtask>
  /**
   * Move a subtask.
   *
   * Moves the subtask before or after another subtask of the same task.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.move(subtaskId, { beforeId })
   */
  move(
    subtaskId: string,
    body: SubtasksMoveBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<Subtask>
  /**
   * Finalize a subtask.
   *
   * The subtask and its time can then no longer change, until you reopen the subtask.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.finalize(subtaskId)
   */
  finalize(subtaskId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Subtask>
  /**
   * Reopen a subtask.
   *
   * The finalized subtask and its time can change again.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.reopen(subtaskId)
   */
  reopen(subtaskId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Subtask>
  /**
   * Delete a subtask.
   *
   * The time entries of the subtask are deleted with it. Running timers on it are stopped. The server refuses this
   * if the subtask is finalized, or if some of the time is locked.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.subtasks.delete(subtaskId)
   */
  delete(subtaskId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted subtask, with what was deleted with it.
   *
   * Within 30 days. What it belongs to must be there.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const subtask = await tw.subtasks.restore(subtaskId)
   */
  restore(subtaskId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Subtask>
}

export interface CommentsOperations {
  /**
   * Create a comment.
   *
   * A task can have at most 10000 comments.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const comment = await tw.comments.create('WEB-12', { body: 'A few words' })
   */
  create(
    taskId: string,
    body: CommentsCreateBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<Comment>
  /**
   * List comments.
   *
   * Returns the comments on all tasks that you can see. Newest first, unless you send `sort`.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const comment of tw.comments.list({ authorId: 'me', include: ['author'] })) {
   *   console.log(comment.body, comment.author)
   * }
   */
  list<
    const Include extends readonly CommentPart[] = readonly [],
    const Fields extends readonly (keyof Comment)[] = never,
  >(
    query?: CommentsListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): CursorPages<With<Chosen<Comment, Fields>, CommentParts, Include>>
  /**
   * Get a comment.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const comment = await tw.comments.get(commentId, { include: ['author'] })
   */
  get<
    const Include extends readonly CommentPart[] = readonly [],
    const Fields extends readonly (keyof Comment)[] = never,
  >(
    commentId: string,
    query?: CommentsGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Comment, Fields>, CommentParts, Include>>
  /**
   * Update a comment.
   *
   * Only the author can update a comment.
   *
   * Access: An API key with the scope `write`. Only your own. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const comment = await tw.comments.update(commentId, { body: 'A few words' })
   */
  update(commentId: string, body: CommentsUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Comment>
  /**
   * Delete a comment.
   *
   * The author can delete a comment, and so can a lead of the project.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead for your own, lead for those of
   * others.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.comments.delete(commentId)
   */
  delete(commentId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted comment, with what was deleted with it.
   *
   * Within 30 days. What it belongs to must be there.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const comment = await tw.comments.restore(commentId)
   */
  restore(commentId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Comment>
}

export interface TimeEntriesOperations {
  /**
   * List time entries.
   *
   * Sorted by start, latest first, unless you send `sort`.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const timeEntry of tw.timeEntries.list({ memberId: 'me', include: ['task'] })) {
   *   console.log(timeEntry.id, timeEntry.task)
   * }
   */
  list<
    const Include extends readonly TimeEntryPart[] = readonly [],
    const Fields extends readonly (keyof TimeEntry)[] = never,
  >(
    query?: TimeEntriesListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): CursorPages<With<Chosen<TimeEntry, Fields>, TimeEntryParts, Include>>
  /**
   * Create a time entry.
   *
   * Records time on a task or a subtask. Without `endedAt` and `durationSeconds`, the time entry is running. A
   * running time entry cannot start in the future. A task can have at most 10000 time entries, including those on
   * its subtasks.
   *
   * Access: An API key with the scope `write`. Role in the project of `taskId` or `subtaskId`: contributor or lead.
   * For another member: project role lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeEntry = await tw.timeEntries.create({ taskId, description: 'A few words', durationSeconds: 5400 })
   */
  create(body: TimeEntriesCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<TimeEntry>
  /**
   * Get a time entry.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeEntry = await tw.timeEntries.get(timeEntryId, { include: ['task'] })
   */
  get<
    const Include extends readonly TimeEntryPart[] = readonly [],
    const Fields extends readonly (keyof TimeEntry)[] = never,
  >(
    timeEntryId: string,
    query?: TimeEntriesGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<TimeEntry, Fields>, TimeEntryParts, Include>>
  /**
   * Update a time entry.
   *
   * You can also move the time entry to another task or subtask.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead for your own, lead for those of
   * others. Role in the project of `taskId` or `subtaskId`: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeEntry = await tw.timeEntries.update(timeEntryId, { taskId, description: 'A few words', billable: true })
   */
  update(timeEntryId: string, body: TimeEntriesUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<TimeEntry>
  /**
   * Delete a time entry.
   *
   * A running time entry is stopped first.
   *
   * Access: An API key with the scope `write`. Project role: contributor or lead for your own, lead for those of
   * others.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.timeEntries.delete(timeEntryId)
   */
  delete(timeEntryId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted time entry, with what was deleted with it.
   *
   * Within 30 days. What it belongs to must be there.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeEntry = await tw.timeEntries.restore(timeEntryId)
   */
  restore(timeEntryId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<TimeEntry>
}

export interface TimerOperations {
  /**
   * Get your timer.
   *
   * Your timer is your running time entry.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timer = await tw.timer.get({ include: ['task'] })
   */
  get<const Include extends readonly TimeEntryPart[] = readonly []>(
    query?: TimerGetQuery<Include>,
    options?: Options<'ifNoneMatch'>,
  ): Answer<Timer<With<TimeEntry, TimeEntryParts, Include>>>
  /**
   * Start your timer.
   *
   * Creates a running time entry on a task or a subtask. If your timer is already running, the `timerPolicy` of the
   * organization decides: the server stops it, or refuses the request. A task can have at most 10000 time entries,
   * including those on its subtasks.
   *
   * Access: An API key with the scope `write`. Role in the project of `taskId` or `subtaskId`: contributor or lead.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeEntry = await tw.timer.start({ taskId })
   */
  start(body: TimerStartBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<TimeEntry>
  /**
   * Stop your timer.
   *
   * You can also stop a timer in a project that you no longer belong to. If time entries must not overlap, your
   * timer cannot end after the start of a later time entry. The response is then 412: send an earlier `endedAt`.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeEntry = await tw.timer.stop()
   */
  stop(body?: TimerStopBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<TimeEntry>
}

export interface ReportsOperations {
  /**
   * Get a report on time.
   *
   * Adds up time in groups by up to three dimensions. Days, weeks and months use the time zone of the organization.
   * A time entry counts in the day, week or month in which it started. Send `Accept: text/csv` to get CSV instead of
   * JSON.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const timeReport = await tw.reports.time({ groupBy: ['project'] })
   */
  time(query: ReportsTimeQuery, options?: Options<'ifNoneMatch'>): Answer<TimeReport>
  /**
   * Get a report on tasks.
   *
   * Counts tasks in groups by up to three dimensions. Days, weeks and months use the time zone of the organization.
   * Send `Accept: text/csv` to get CSV instead of JSON.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const taskReport = await tw.reports.tasks({ groupBy: ['project'] })
   */
  tasks(query: ReportsTasksQuery, options?: Options<'ifNoneMatch'>): Answer<TaskReport>
}

export interface EventsOperations {
  /**
   * List what happened, oldest first: what you may see now.
   *
   * In the last 30 days, or as long as the setting EVENT_RETENTION says. An event appears once its change has taken
   * effect, behind all that are there, so a reader that goes on from the last sequence it saw misses none. A page
   * looks at 10000 events at most: where few of them match, or their texts are long, it holds less than `limit`, or
   * nothing; the last page is that without nextCursor. 412 (position_expired) when events that followed on `after`
   * or `cursor` are no longer kept, or when there is no such event yet, as after the database was put back: read
   * /events/head, then the state, then follow from `latest`. Who sees few of all events, or asks for few, goes on
   * from a `latest` that it read before the list, which is further than the last one it saw. With `Accept:
   * text/event-stream` the answer goes on as things happen, as server-sent events: `id` is the sequence, `event` the
   * type, `data` the event as in the list. It begins behind `Last-Event-ID`, or `cursor`, or `after`, or now;
   * `limit` is of no meaning there. A comment comes every 15 s. It ends when the key no longer opens, when the
   * server ends, and when the reader is slow: then go on from the last id. An organization may have 2,000 streams
   * open with each process; 429 (too_many_streams) beyond.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const event of tw.events.list({ projectId })) {
   *   console.log(event.type)
   * }
   */
  list(query?: EventsListQuery, options?: Options<'ifNoneMatch'>): CursorPages<Event>
  /**
   * Read which events there are, from the oldest to the latest.
   *
   * To follow from now on: read this, then the state, then the events `after` latest.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const eventsHead = await tw.events.getHead()
   */
  getHead(options?: Options<'ifNoneMatch'>): Answer<EventsHead>
}

export interface TrashOperations {
  /**
   * List what was deleted and can be restored, newest deletion first.
   *
   * Restore an item with the `restore` of its kind, such as `POST /tasks/{id}/restore`. An item that was deleted
   * together with what it belongs to is not listed: it returns with that. The contents of a deleted project are not
   * listed until the project is restored. Revoked API keys and erased members cannot be restored, so they are never
   * listed.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const deletedItem of tw.trash.list()) {
   *   console.log(deletedItem.name)
   * }
   */
  list(query?: TrashListQuery, options?: Options<'ifNoneMatch'>): CursorPages<DeletedItem>
}

export interface AuditRefusedSignInsOperations {
  /**
   * List keys that opened nothing, by hour, the latest first.
   *
   * How often which key was refused (401), from which address: one that was revoked or has expired, one of a member
   * who is removed or deactivated, or one that never was (keyId null). Counted some seconds later, as long as events
   * are kept. Anybody can make up a key that names an organization, so of an hour some dozens are told apart and the
   * others are counted together (address null).
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const refusedSignIn of tw.audit.refusedSignIns.list()) {
   *   console.log(refusedSignIn.id)
   * }
   */
  list(query?: AuditRefusedSignInsListQuery, options?: Options<'ifNoneMatch'>): OffsetPages<RefusedSignIn>
}

export interface AuditOperations {
  /**
   * List administrative acts, newest first.
   *
   * Who made, rotated and revoked keys, added, removed, erased members and changed their roles, changed settings and
   * webhooks, and deleted or restored whatever it was; by whom, with which key, and what changed. What the operator
   * did on the command line is here too. Kept for 365 days, or as long as the setting AUDIT_RETENTION says: longer
   * than events, and then without names and texts, so that nothing here tells of what was purged. Keys that opened
   * nothing: GET /audit/refused-sign-ins.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const auditEntry of tw.audit.list({ include: ['member'] })) {
   *   console.log(auditEntry.type, auditEntry.member)
   * }
   */
  list<const Include extends readonly AuditEntryPart[] = readonly []>(
    query?: AuditListQuery<Include>,
    options?: Options<'ifNoneMatch'>,
  ): CursorPages<With<AuditEntry, AuditEntryParts, Include>>
  refusedSignIns: AuditRefusedSignInsOperations
}

export interface WebhooksDeliveriesOperations {
  /**
   * List the deliveries to a webhook, newest first.
   *
   * One for each event, from its first attempt on, for as long as the event is kept.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const delivery of tw.webhooks.deliveries.list(webhookId)) {
   *   console.log(delivery.eventType)
   * }
   */
  list<const Fields extends readonly (keyof Delivery)[] = never>(
    webhookId: string,
    query?: WebhooksDeliveriesListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): CursorPages<Chosen<Delivery, Fields>>
}

export interface WebhooksOperations {
  /**
   * List webhooks, newest first.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * for await (const webhook of tw.webhooks.list({ projectId, include: ['progress'] })) {
   *   console.log(webhook.id, webhook.progress)
   * }
   */
  list<
    const Include extends readonly WebhookPart[] = readonly [],
    const Fields extends readonly (keyof Webhook)[] = never,
  >(
    query?: WebhooksListQuery<Include, Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<With<Chosen<Webhook, Fields>, WebhookParts, Include>>
  /**
   * Create a webhook; the answer alone holds its secret.
   *
   * It is sent every event from now on that it wants. An organization has 100 at most. The secret verifies the
   * signatures, as Standard Webhooks says.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const newWebhook = await tw.webhooks.create({ url: 'https://example.com/taskwright' })
   */
  create(body: WebhooksCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<NewWebhook>
  /**
   * Read a webhook, without its secret.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.get(webhookId, { include: ['progress'] })
   */
  get<
    const Include extends readonly WebhookPart[] = readonly [],
    const Fields extends readonly (keyof Webhook)[] = never,
  >(
    webhookId: string,
    query?: WebhooksGetQuery<Include, Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<With<Chosen<Webhook, Fields>, WebhookParts, Include>>
  /**
   * Edit a webhook.
   *
   * With another address its failures count anew, and what waits is tried at once. With other types or another
   * project it gets what it waits for and what follows, by these; not what came before.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.update(webhookId, { url: 'https://example.com/taskwright' })
   */
  update(webhookId: string, body: WebhooksUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Delete a webhook: nothing more is sent to it.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * await tw.webhooks.delete(webhookId)
   */
  delete(webhookId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted webhook, with what was deleted with it.
   *
   * Within 30 days, with its secret. It goes on where it stopped: what happened meanwhile is sent to it, as far as
   * it is kept.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.restore(webhookId)
   */
  restore(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Give a webhook another secret; the answer alone holds it.
   *
   * For a while both sign: its receiver takes over the new one in that time. Another rotation meanwhile ends that of
   * the secret before the last at once.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const newWebhook = await tw.webhooks.rotateSecret(webhookId, { overlapHours: 1 })
   */
  rotateSecret(
    webhookId: string,
    body?: WebhooksRotateSecretBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<NewWebhook>
  /**
   * Send a webhook an event to try it out.
   *
   * An event `webhook.test`, whatever types it wants. It comes behind what waits to be sent for the first time,
   * which is tried at once, too. Its deliveries tell what came of it.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.test(webhookId)
   */
  test(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Pause a webhook: what happens waits for it.
   *
   * For as long as events are kept.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.pause(webhookId)
   */
  pause(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Resume a webhook that is paused or disabled: what waits is sent to it, in order.
   *
   * What is to be repeated is repeated at once, too. 412 (`position_expired`) where something that waited is no
   * longer kept: replay it from where the log begins, then it can be resumed.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.resume(webhookId)
   */
  resume(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Send events of before to a webhook again, in order.
   *
   * All that it wants of those that followed on a sequence, with the ids that they had. 412 (`position_expired`)
   * where these are not kept any more, and (`position_ahead`) where it has not got that far.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const webhook = await tw.webhooks.replay(webhookId, { after: 0 })
   */
  replay(
    webhookId: string,
    body: WebhooksReplayBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<Webhook>
  deliveries: WebhooksDeliveriesOperations
}

export interface DeliveriesOperations {
  /**
   * Read a delivery to a webhook.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const delivery = await tw.deliveries.get(deliveryId)
   */
  get<const Fields extends readonly (keyof Delivery)[] = never>(
    deliveryId: string,
    query?: DeliveriesGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Delivery, Fields>>
  /**
   * Send an event to a webhook once more, at once.
   *
   * Whether it was received or not. Where further attempts are due, they follow if this one fails.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const delivery = await tw.deliveries.redeliver(deliveryId)
   */
  redeliver(deliveryId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Delivery>
}

/**
 * All operations of the API. Ids come first, then a query or a body where there is one, then the options.
 *
 * What each may be refused with is said there; besides that any may be refused with one of these.
 * @throws {BadRequestError} 400: malformed, or the domain does not allow it.
 * @throws {UnauthorizedError} 401: the key is missing, unknown, expired or revoked.
 * @throws {RequestTimeoutError} 408: the request took too long to arrive.
 * @throws {UriTooLongError} 414: the URL is longer than 8192 characters.
 * @throws {TooManyRequestsError} 429: the rate limit of the key is used up.
 * @throws {HeadersTooLargeError} 431: the headers are larger than 16 KiB, or more than 2000.
 * @throws {InternalError} 500: an error that nobody foresaw.
 * @throws {UnavailableError} 503: not just now.
 */
export interface Operations {
  organizations: OrganizationsOperations
  organization: OrganizationOperations
  me: MeOperations
  members: MembersOperations
  apiKeys: ApiKeysOperations
  projects: ProjectsOperations
  workspaces: WorkspacesOperations
  stages: StagesOperations
  taskTypes: TaskTypesOperations
  tags: TagsOperations
  tasks: TasksOperations
  boards: BoardsOperations
  subtasks: SubtasksOperations
  comments: CommentsOperations
  timeEntries: TimeEntriesOperations
  timer: TimerOperations
  reports: ReportsOperations
  /**
   * Search tasks, projects, subtasks, comments and time at once.
   *
   * Finds what the caller sees, newest first, with the piece of text that matches. The key of a task (WEB-12) finds
   * that task first.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const searchAnswer = await tw.search({ q: 'fence -"garden fence"' })
   */
  search(query: SearchQuery, options?: Options<'ifNoneMatch'>): Answer<SearchAnswer>
  events: EventsOperations
  trash: TrashOperations
  audit: AuditOperations
  webhooks: WebhooksOperations
  deliveries: DeliveriesOperations
  /**
   * Run up to 100 writes in one transaction: all of them or none.
   *
   * The first that is refused refuses the whole, with its status; the error says which one it was, and of its fields
   * where they stand: operations.3.body.name, operations.3.query.moveTasksTo.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key lacks the scope, or its member the role.
   * @throws {NotFoundError} 404: it does not exist, or the caller cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key came with another request before.
   * @throws {PreconditionFailedError} 412: a rule of the domain, or If-Match, prevented it.
   * @throws {ValidationFailedError} 422: some fields are wrong; the details name each.
   * @example
   * const bulkResults = await tw.bulk({ operations: [{ method: 'POST', path: '/tags', body: { name: 'Urgent' } }] })
   */
  bulk(body: BulkBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<BulkResults>
}
