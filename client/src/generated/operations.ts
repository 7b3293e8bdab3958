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
  InvitationsGetQuery,
  InvitationsListQuery,
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
  CreatedMember,
  DeletedItem,
  Delivery,
  Event,
  EventsHead,
  FoundedOrganization,
  Invitation,
  Me,
  Member,
  MemberParts,
  MeParts,
  NewApiKey,
  NewInvitation,
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
   * Create an organization.
   *
   * Also creates its owner and a first API key. Only the operator can do this. Send the operator token in
   * `Authorization`.
   *
   * Access: The operator token.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const foundedOrganization = await tw.organizations.create({ name: 'Acme', owner: { name: 'Ann Example', email: 'ann@example.com' } })
   */
  create(body: OrganizationsCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<FoundedOrganization>
  /**
   * Restore a deleted organization.
   *
   * Only the operator can do this, within 30 days after the deletion. Send the operator token in `Authorization`.
   * The API keys of the organization work again.
   *
   * Access: The operator token.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const organization = await tw.organizations.restore(organizationId)
   */
  restore(organizationId: string, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Organization>
}

export interface OrganizationOperations {
  /**
   * Get your organization.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const organization = await tw.organization.get()
   */
  get<const Fields extends readonly (keyof Organization)[] = never>(
    query?: OrganizationGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Organization, Fields>>
  /**
   * Update your organization.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const organization = await tw.organization.update({ name: 'Acme' })
   */
  update(body: OrganizationUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Organization>
  /**
   * Delete your organization.
   *
   * All API keys of the organization stop working at once, including yours. Its webhooks receive nothing more. The
   * operator can restore the organization for 30 days. After that, the server purges all its data.
   *
   * Access: An API key with the scope `write`. Organization role: owner.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.organization.delete({ name: 'Acme' })
   */
  delete(query: OrganizationDeleteQuery, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface MeOperations {
  /**
   * Get your member, organization and API key.
   *
   * If you follow events, start with this request. The server reads `eventsHead` before the rest, so you miss no
   * change between the two.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * List members.
   *
   * Sorted by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Create a member.
   *
   * With `invite: true`, the response contains a link with which the member can sign in. Only this response shows
   * it. For a program, create an API key with `POST /api-keys` instead.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const createdMember = await tw.members.create({ name: 'Ann Example', email: 'ann@example.com' })
   */
  create(body: MembersCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<CreatedMember>
  /**
   * Get a member.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Update a member.
   *
   * If you deactivate a member, their keys stop working at once, their timer stops, and keys that they created for
   * others are revoked. If you give a member a lower role, keys that they created for members with a higher role are
   * revoked. If you give a member a higher role, their keys that a member with a lower role created are revoked.
   * Keys that were created with such a key can be revoked, too: see the guide on API keys. If you edit yourself with
   * a session, your account gets the new name. It gets the new address unless the old one is verified or another
   * person has the new one.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const member = await tw.members.update(memberId, { name: 'Ann Example' })
   */
  update(memberId: string, body: MembersUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Member>
  /**
   * Remove a member.
   *
   * Ends the membership of the organization. The member's keys stop working at once, their timer stops and their
   * assignments end. Their open invitation is deleted. Their time entries stay. No response shows the member as
   * assigned from now on. If the member had many tasks, the events of these tasks follow within minutes. Keys that
   * the member created for others are revoked: see the guide on API keys.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.members.delete(memberId)
   */
  delete(memberId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted member.
   *
   * You can restore a member for 30 days, unless the member was erased. Their keys work again. You must add them to
   * projects and assign them to tasks again.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const member = await tw.members.restore(memberId)
   */
  restore(memberId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Member>
  /**
   * Erase a member.
   *
   * Removes the member and erases their name and e-mail address. Nothing can restore them. You can also erase a
   * member who was removed before, no matter when. The API shows "Former member" instead of the name. Time entries
   * and the sums of reports stay. The member's keys are revoked. If the person who signs in as this member is a
   * member of no other organization, their account is erased, too. Within minutes the name and address are also gone
   * from events, stored responses and the log of deliveries. Texts that the member wrote stay, and so do texts of
   * others about the member.
   *
   * Access: An API key with the scope `write`. Organization role: owner.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const member = await tw.members.erase(memberId)
   */
  erase(memberId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Member>
  /**
   * Invite a member.
   *
   * Creates a link with which somebody signs in as this member for the first time. Only this response shows the
   * link. It works once, for 7 days. If this server sends mail, it also mails a link to the member. A new invitation
   * ends the former one. If the member has joined and can still sign in, the response is 412 (`already_joined`).
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin. The role of that member must not
   * be above yours.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const newInvitation = await tw.members.invite(memberId)
   */
  invite(memberId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<NewInvitation>
}

export interface InvitationsOperations {
  /**
   * List invitations.
   *
   * Newest first. An invitation stays in the list for 30 days after it was accepted or has expired.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * for await (const invitation of tw.invitations.list()) {
   *   console.log(invitation.id)
   * }
   */
  list<const Fields extends readonly (keyof Invitation)[] = never>(
    query?: InvitationsListQuery<Fields>,
    options?: Options<'ifNoneMatch'>,
  ): OffsetPages<Chosen<Invitation, Fields>>
  /**
   * Get an invitation.
   *
   * The response does not show the link.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const invitation = await tw.invitations.get(invitationId)
   */
  get<const Fields extends readonly (keyof Invitation)[] = never>(
    invitationId: string,
    query?: InvitationsGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Invitation, Fields>>
  /**
   * Delete an invitation.
   *
   * The link stops working at once.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.invitations.delete(invitationId)
   */
  delete(invitationId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface ApiKeysOperations {
  /**
   * List API keys.
   *
   * Newest first. Owners and admins see all keys, other members only their own.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Create an API key.
   *
   * Only this response shows the secret. The key never outlives the key you use. A member can have at most 100 valid
   * keys.
   *
   * Access: An API key with the scope `write`. For another member in `memberId`: owner or admin, and the role of
   * that member must not be above yours. For yourself: any member.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const newApiKey = await tw.apiKeys.create({ name: 'Web site' })
   */
  create(body: ApiKeysCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<NewApiKey>
  /**
   * Get an API key.
   *
   * The response does not show the secret.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const apiKey = await tw.apiKeys.get(apiKeyId)
   */
  get<const Fields extends readonly (keyof ApiKey)[] = never>(
    apiKeyId: string,
    query?: ApiKeysGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<ApiKey, Fields>>
  /**
   * Rotate an API key.
   *
   * Creates a successor with a new secret. The old key works for another `overlapHours`. Only this response shows
   * the new secret. The successor never outlives the key you use: if an expiring key rotates itself, the new key
   * expires at the same time.
   *
   * Access: An API key with the scope `write`. Your own key: any member. The key of another member: owner or admin,
   * and the role of that member must not be above yours.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const newApiKey = await tw.apiKeys.rotate(apiKeyId, { overlapHours: 1 })
   */
  rotate(
    apiKeyId: string,
    body?: ApiKeysRotateBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<NewApiKey>
  /**
   * Revoke an API key.
   *
   * The key stops working at once. Keys that were created with it are also revoked, and so on, even if they belong
   * to other members. The key you use is not revoked, unless its id is in the path. With `descendants=false`, only
   * the key in the path is revoked. A revoked key stays in the list for 30 days, or longer while a key that was
   * created with it exists.
   *
   * Access: An API key with the scope `write`. Your own key: any member. The key of another member: owner or admin,
   * and the role of that member must not be above yours.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.apiKeys.delete(apiKeyId)
   */
  delete(apiKeyId: string, query?: ApiKeysDeleteQuery, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface ProjectsMembersOperations {
  /**
   * List the members of a project.
   *
   * Sorted by name. Owners and admins of the organization are included.
   *
   * Access: An API key with the scope `read`.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const projectMember = await tw.projects.members.add('WEB', { memberId, role: 'lead' })
   */
  add(
    projectId: string,
    body: ProjectsMembersAddBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<ProjectMember>
  /**
   * Get a member of a project.
   *
   * Access: An API key with the scope `read`.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Update a member of a project.
   *
   * Changes the role of the member in the project.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Remove a member from a project.
   *
   * The member can still stop their own running timer there.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.projects.members.remove('WEB', memberId)
   */
  remove(projectId: string, memberId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
}

export interface ProjectsOperations {
  /**
   * List projects.
   *
   * Newest first.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Create a project.
   *
   * You become a lead of the project.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const project = await tw.projects.create({ name: 'Web site' })
   */
  create(body: ProjectsCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Project>
  /**
   * Get a project.
   *
   * You can use its id or its key, such as WEB.
   *
   * Access: An API key with the scope `read`.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Update a project.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const project = await tw.projects.update('WEB', { name: 'Web site' })
   */
  update(projectId: string, body: ProjectsUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Project>
  /**
   * Archive a project.
   *
   * The project stays readable and accepts no more writes. Running timers in it are stopped.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const project = await tw.projects.archive('WEB')
   */
  archive(projectId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Project>
  /**
   * Unarchive a project.
   *
   * The project accepts writes again.
   *
   * Access: An API key with the scope `write`. Project role: lead.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const project = await tw.projects.unarchive('WEB')
   */
  unarchive(projectId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Project>
  /**
   * Delete a project.
   *
   * Everything in the project disappears at once, even finalized subtasks and locked time. Running timers in it are
   * stopped.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.projects.delete('WEB')
   */
  delete(projectId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted project.
   *
   * You can restore a project for 30 days, with everything that was deleted with it. The server refuses this if a
   * stage with a limit has no room left for its tasks. It also refuses if time entries must not overlap and new ones
   * now overlap those of the project. Tasks whose stage was deleted meanwhile come back without a stage, up to
   * 9,999. If there are more, restore these stages first. If several deleted projects had the same key, the key
   * names the one deleted last.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @param projectId its id, or its key, such as `WEB`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const workspace = await tw.workspaces.create({ name: 'Board' })
   */
  create(body: WorkspacesCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Workspace>
  /**
   * Get a workspace.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.workspaces.delete(workspaceId)
   */
  delete(workspaceId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted workspace.
   *
   * You can restore a workspace for 30 days, with everything that was deleted with it. If its parent is deleted,
   * restore the parent first.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.stages.delete(stageId)
   */
  delete(stageId: string, query?: StagesDeleteQuery, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted stage.
   *
   * You can restore a stage for 30 days, with everything that was deleted with it. If its parent is deleted, restore
   * the parent first.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const stage = await tw.stages.restore(stageId)
   */
  restore(stageId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Stage>
}

export interface TaskTypesOperations {
  /**
   * List task types.
   *
   * Sorted by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const taskType = await tw.taskTypes.create({ name: 'Bug' })
   */
  create(body: TaskTypesCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<TaskType>
  /**
   * Get a task type.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const taskType = await tw.taskTypes.get(taskTypeId)
   */
  get<const Fields extends readonly (keyof TaskType)[] = never>(
    taskTypeId: string,
    query?: TaskTypesGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<TaskType, Fields>>
  /**
   * Update a task type.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const taskType = await tw.taskTypes.update(taskTypeId, { name: 'Bug' })
   */
  update(taskTypeId: string, body: TaskTypesUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<TaskType>
  /**
   * Delete a task type.
   *
   * The task type is also removed from its tasks. No response shows it from now on. If there are many tasks, their
   * events follow within minutes.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.taskTypes.delete(taskTypeId)
   */
  delete(taskTypeId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted task type.
   *
   * You can restore a task type for 30 days. Tasks that had this type do not get it back.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const taskType = await tw.taskTypes.restore(taskTypeId)
   */
  restore(taskTypeId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<TaskType>
}

export interface TagsOperations {
  /**
   * List tags.
   *
   * Sorted by name.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const tag = await tw.tags.create({ name: 'Urgent' })
   */
  create(body: TagsCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<Tag>
  /**
   * Get a tag.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const tag = await tw.tags.get(tagId)
   */
  get<const Fields extends readonly (keyof Tag)[] = never>(
    tagId: string,
    query?: TagsGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Tag, Fields>>
  /**
   * Update a tag.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const tag = await tw.tags.update(tagId, { name: 'Urgent' })
   */
  update(tagId: string, body: TagsUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Tag>
  /**
   * Delete a tag.
   *
   * The tag is also removed from all tasks and time entries. No response shows it from now on. If there are many,
   * their events follow within minutes.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.tags.delete(tagId)
   */
  delete(tagId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted tag.
   *
   * You can restore a tag for 30 days. Tasks and time entries that had this tag do not get it back.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * List the history of a task.
   *
   * Newest first. Events are stored for 30 days, or as long as the setting EVENT_RETENTION says.
   *
   * Access: An API key with the scope `read`.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.tasks.delete('WEB-12')
   */
  delete(taskId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted task.
   *
   * You can restore a task for 30 days, with everything that was deleted with it. If its parent is deleted, restore
   * the parent first.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @param taskId its id, or its key, such as `WEB-12`
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.subtasks.delete(subtaskId)
   */
  delete(subtaskId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted subtask.
   *
   * You can restore a subtask for 30 days, with everything that was deleted with it. If its parent is deleted,
   * restore the parent first.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Access: An API key with the scope `write`. Only your own comment. Project role: contributor or lead.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const comment = await tw.comments.update(commentId, { body: 'A few words' })
   */
  update(commentId: string, body: CommentsUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Comment>
  /**
   * Delete a comment.
   *
   * The author can delete a comment, and so can a lead of the project.
   *
   * Access: An API key with the scope `write`. Your own comment: project role contributor or lead. A comment of
   * another member: lead.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.comments.delete(commentId)
   */
  delete(commentId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted comment.
   *
   * You can restore a comment for 30 days, with everything that was deleted with it. If its parent is deleted,
   * restore the parent first.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const timeEntry = await tw.timeEntries.create({ taskId, description: 'A few words', durationSeconds: 5400 })
   */
  create(body: TimeEntriesCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<TimeEntry>
  /**
   * Get a time entry.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Access: An API key with the scope `write`. Your own time entry: project role contributor or lead. A time entry
   * of another member: lead. If you send `taskId` or `subtaskId`: also contributor or lead in that project.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const timeEntry = await tw.timeEntries.update(timeEntryId, { taskId, description: 'A few words', billable: true })
   */
  update(timeEntryId: string, body: TimeEntriesUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<TimeEntry>
  /**
   * Delete a time entry.
   *
   * A running time entry is stopped first.
   *
   * Access: An API key with the scope `write`. Your own time entry: project role contributor or lead. A time entry
   * of another member: lead.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.timeEntries.delete(timeEntryId)
   */
  delete(timeEntryId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted time entry.
   *
   * You can restore a time entry for 30 days, with everything that was deleted with it. If its parent is deleted,
   * restore the parent first.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const taskReport = await tw.reports.tasks({ groupBy: ['project'] })
   */
  tasks(query: ReportsTasksQuery, options?: Options<'ifNoneMatch'>): Answer<TaskReport>
}

export interface EventsOperations {
  /**
   * List events.
   *
   * Returns the events that you can see now, oldest first. They are stored for 30 days, or as long as the setting
   * EVENT_RETENTION says. An event appears when its change has taken effect, after all earlier events. So you miss
   * none if you continue from the last sequence that you received. A page reads at most 10000 events. It can hold
   * fewer than `limit`, or none, if few of them match or their texts are long. The last page is the one without
   * `nextCursor`. The response is 412 (position_expired) if events after `after` or `cursor` are no longer stored.
   * It is also 412 if the log has not reached that event, for example after a restore of the database. Then read
   * /events/head, then the current state, and follow from `latest`. If you see or request only a few of the events,
   * read `latest` before the list and continue from there: it is further than the last event that you received. With
   * `Accept: text/event-stream` the response is a stream of server-sent events. `id` is the sequence, `event` the
   * type, and `data` the event as in the list. The stream starts after `Last-Event-ID`, `cursor` or `after`, or with
   * the next event if you send none of them. It ignores `limit`. The server sends a comment every 15 s. The stream
   * ends when the key stops working, when the server stops, or when you read too slowly: then continue from the last
   * id. An organization can have 2,000 open streams per server process; more are refused with 429
   * (too_many_streams).
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * for await (const event of tw.events.list({ projectId })) {
   *   console.log(event.type)
   * }
   */
  list(query?: EventsListQuery, options?: Options<'ifNoneMatch'>): CursorPages<Event>
  /**
   * Get the head of the event log.
   *
   * Returns the oldest and the latest sequence. To follow events from now on, read this first, then the current
   * state, then the events after `latest`.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const eventsHead = await tw.events.getHead()
   */
  getHead(options?: Options<'ifNoneMatch'>): Answer<EventsHead>
}

export interface TrashOperations {
  /**
   * List deleted resources.
   *
   * Lists what can be restored, newest deletion first. Restore an item with the `restore` operation of its kind,
   * such as `POST /tasks/{id}/restore`. An item that was deleted together with its parent is not listed: it comes
   * back with the parent. The contents of a deleted project are not listed until the project is restored. Revoked
   * API keys and erased members cannot be restored, so they are never listed.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * for await (const deletedItem of tw.trash.list()) {
   *   console.log(deletedItem.name)
   * }
   */
  list(query?: TrashListQuery, options?: Options<'ifNoneMatch'>): CursorPages<DeletedItem>
}

export interface AuditRefusedSignInsOperations {
  /**
   * List refused API keys.
   *
   * Latest hour first. Shows how often a key was refused with 401, and from which address. The key was revoked or
   * has expired, its member is removed or deactivated, or it never existed (keyId is null). The counts appear after
   * some seconds, and are stored as long as events. Anybody can invent keys for your organization. So only some
   * dozens of keys and addresses are counted one by one in each hour. The others are counted together (address is
   * null).
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * for await (const refusedSignIn of tw.audit.refusedSignIns.list()) {
   *   console.log(refusedSignIn.id)
   * }
   */
  list(query?: AuditRefusedSignInsListQuery, options?: Options<'ifNoneMatch'>): OffsetPages<RefusedSignIn>
}

export interface AuditOperations {
  /**
   * List administrative actions.
   *
   * Newest first. The audit log shows who created, rotated and revoked keys, and who created, removed and erased
   * members or changed their roles. It also shows changes of settings and webhooks, and everything that was deleted
   * or restored. It includes what the operator did on the command line. Entries are stored for 365 days, or as long
   * as AUDIT_RETENTION says, which is longer than events. When an event is no longer stored, its entry stays without
   * names and texts. So the audit log shows nothing of purged data. For refused API keys, see GET
   * /audit/refused-sign-ins.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * List the deliveries of a webhook.
   *
   * Newest first. There is one for each event, from the first attempt, for as long as the event is stored.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * List webhooks.
   *
   * Newest first.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Create a webhook.
   *
   * It receives all events from now on that match its types and project. Only this response shows the secret, which
   * verifies signatures as Standard Webhooks describes. An organization can have at most 100 webhooks.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const newWebhook = await tw.webhooks.create({ url: 'https://example.com/taskwright' })
   */
  create(body: WebhooksCreateBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<NewWebhook>
  /**
   * Get a webhook.
   *
   * The response does not show the secret.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Update a webhook.
   *
   * A new URL resets the failures, and waiting events are tried at once. New types or a new project apply to events
   * that wait and to later ones, not to earlier ones.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const webhook = await tw.webhooks.update(webhookId, { url: 'https://example.com/taskwright' })
   */
  update(webhookId: string, body: WebhooksUpdateBody, options?: Options<'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Delete a webhook.
   *
   * It receives no more events.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * await tw.webhooks.delete(webhookId)
   */
  delete(webhookId: string, options?: Options<'ifMatch' | 'dryRun'>): Answer<void>
  /**
   * Restore a deleted webhook.
   *
   * You can restore a webhook for 30 days, with its secret. It continues where it stopped: events that happened
   * meanwhile are sent, if they are still stored.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const webhook = await tw.webhooks.restore(webhookId)
   */
  restore(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Rotate the secret of a webhook.
   *
   * Only this response shows the new secret. For `overlapHours`, deliveries are signed with both secrets, so the
   * receiver can change to the new one. If you rotate again in that time, the oldest secret stops at once.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const newWebhook = await tw.webhooks.rotateSecret(webhookId, { overlapHours: 1 })
   */
  rotateSecret(
    webhookId: string,
    body?: WebhooksRotateSecretBody,
    options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>,
  ): Answer<NewWebhook>
  /**
   * Send a test event to a webhook.
   *
   * Sends the event `webhook.test`, even if the webhook does not subscribe to that type. Events that wait for their
   * first attempt are sent before it, also at once. The deliveries of the webhook show the result.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const webhook = await tw.webhooks.test(webhookId)
   */
  test(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Pause a webhook.
   *
   * New events wait until you resume the webhook, for as long as events are stored.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const webhook = await tw.webhooks.pause(webhookId)
   */
  pause(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Resume a webhook.
   *
   * Use this if the webhook is paused or disabled. The server sends the waiting events in order. It immediately
   * tries the deliveries that wait for another attempt. If a waiting event is no longer stored, the response is 412
   * (`position_expired`). Then replay the events from the oldest stored one, and resume the webhook.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const webhook = await tw.webhooks.resume(webhookId)
   */
  resume(webhookId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Webhook>
  /**
   * Replay events to a webhook.
   *
   * Sends the events after a sequence again, in order and with the same ids. Types and project of the webhook apply.
   * The response is 412 (`position_expired`) if these events are no longer stored. It is 412 (`position_ahead`) if
   * the webhook has not reached that sequence.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Get a delivery.
   *
   * Access: An API key with the scope `read`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const delivery = await tw.deliveries.get(deliveryId)
   */
  get<const Fields extends readonly (keyof Delivery)[] = never>(
    deliveryId: string,
    query?: DeliveriesGetQuery<Fields>,
    options?: Options<'ifNoneMatch' | 'ifMatch'>,
  ): Answer<Chosen<Delivery, Fields>>
  /**
   * Redeliver an event to a webhook.
   *
   * Sends the event again at once, even if the receiver already accepted it. If this attempt fails, the retries that
   * were already planned still happen.
   *
   * Access: An API key with the scope `write`. Organization role: owner or admin.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const delivery = await tw.deliveries.redeliver(deliveryId)
   */
  redeliver(deliveryId: string, options?: Options<'idempotencyKey' | 'ifMatch' | 'dryRun'>): Answer<Delivery>
}

/**
 * All operations of the API. Ids come first, then a query or a body where there is one, then the options.
 *
 * The comment of each operation lists its own errors. Any operation can also throw one of these.
 * @throws {BadRequestError} 400: the request is malformed, or its values do not fit together.
 * @throws {UnauthorizedError} 401: the API key is missing, unknown, expired or revoked.
 * @throws {RequestTimeoutError} 408: the request took too long to arrive.
 * @throws {UriTooLongError} 414: the URL is longer than 8192 characters.
 * @throws {TooManyRequestsError} 429: the key has reached its rate limit.
 * @throws {HeadersTooLargeError} 431: the headers are larger than 16 KiB, or there are more than 2000.
 * @throws {InternalError} 500: an unexpected error.
 * @throws {UnavailableError} 503: the server cannot respond now. Try again later.
 */
export interface Operations {
  organizations: OrganizationsOperations
  organization: OrganizationOperations
  me: MeOperations
  members: MembersOperations
  invitations: InvitationsOperations
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
   * Search tasks, projects, subtasks, comments and time entries.
   *
   * Returns what you can see, newest first, with the part of the text that matches. If you search for the key of a
   * task, such as WEB-12, that task comes first.
   *
   * Access: An API key with the scope `read`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
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
   * Run several writes in one transaction.
   *
   * Takes up to 100 writes. All of them take effect, or none. If one write is refused, nothing is written, and the
   * response has the status of the first refused write. The error says which operation it was. For a wrong field, it
   * gives the path, such as `operations.3.body.name` or `operations.3.query.moveTasksTo`.
   *
   * Access: An API key with the scope `write`.
   * @throws {ForbiddenError} 403: the key does not have the scope, or its member does not have the role.
   * @throws {NotFoundError} 404: the resource does not exist, or you cannot see it.
   * @throws {ConflictError} 409: the Idempotency-Key was already used for a different request.
   * @throws {PreconditionFailedError} 412: a rule does not allow the change, or the ETag in If-Match is not current.
   * @throws {ValidationFailedError} 422: some fields are wrong. `details` names each of them.
   * @example
   * const bulkResults = await tw.bulk({ operations: [{ method: 'POST', path: '/tags', body: { name: 'Urgent' } }] })
   */
  bulk(body: BulkBody, options?: Options<'idempotencyKey' | 'dryRun'>): Answer<BulkResults>
}
