/** What a cause comes with, when it comes, and what to do about it. */
type Told = readonly [status: number, when: string, remedy: string]

/** Every cause of a refusal, as `X-Error-Code` has it. A name never changes its meaning; new ones may come at any time. */
export const errorCodes = {
  bad_request: [400, 'The request cannot be read as HTTP or JSON in some other way.', 'Mend the request.'],
  malformed_http: [
    400,
    'It is no valid HTTP, lacks a `Host`, or has a header twice that may come once.',
    'Send it by an ordinary HTTP client.',
  ],
  malformed_json: [
    400,
    'The body is not JSON in UTF-8, nests too deep or holds too many values.',
    'Write the body by a JSON library, not by hand.',
  ],
  invalid_idempotency_key: [
    400,
    'The `Idempotency-Key` is not 1 to 255 visible ASCII characters.',
    'Send a UUID as the key.',
  ],
  invalid_if_match: [
    400,
    'The `If-Match` is not an ETag in double quotes, a list of these, or `*`.',
    'Send the whole `ETag` that you read, with its quotes.',
  ],
  invalid_last_event_id: [
    400,
    'The `Last-Event-ID` is not the id of an event of this stream.',
    'Send the last `id` that you got, or none.',
  ],
  pipelined_stream: [
    400,
    'A stream was asked for on a connection that waits for another answer.',
    'Open a connection of its own for the stream.',
  ],
  stage_of_other_workspace: [
    400,
    'The stage stands in another workspace than the one named.',
    'Name a stage of that workspace, or leave the stage out for its first.',
  ],
  workspace_of_other_project: [
    400,
    'The workspace belongs to another project than the task.',
    'Name a workspace of the project, or of the whole organization.',
  ],
  not_beside: [
    400,
    '`beforeId` or `afterId` names what does not stand in the same order.',
    'Read the order again, and name a neighbour in it.',
  ],
  unauthorized: [
    401,
    'The key is missing, malformed, unknown, expired or revoked, or two different ones were sent.',
    'Send a key that works. Asking again with this one does not help.',
  ],
  missing_scope: [403, 'The key lacks the scope `read` or `write`.', 'Use a key with the scope.'],
  missing_role: [
    403,
    'The role of the member in the organization does not allow it.',
    'Ask an owner or an admin, or for the role.',
  ],
  missing_project_role: [
    403,
    'The role of the member in the project does not allow it.',
    'Ask a lead of the project for the role.',
  ],
  not_yours: [403, 'Only somebody else may do it, such as the author.', 'Leave it to them.'],
  key_not_yours: [
    403,
    'Among the keys that would be revoked is one of somebody above you.',
    'Ask that member, or an owner.',
  ],
  role_above_own: [403, 'A role would be granted that is above your own.', 'Ask somebody who has the role.'],
  wider_scopes: [
    403,
    'The new key would have wider scopes than the one in use.',
    'Ask for fewer scopes, or use another key.',
  ],
  sealed: [
    403,
    'The stored answer of this `Idempotency-Key` holds a secret that only the key that asked may read again.',
    'Repeat it with the key of then; if that is gone, make another secret.',
  ],
  not_inside: [403, 'The operation may not be part of a bulk request.', 'Send it by itself.'],
  foreign_host: [
    403,
    'The server, which has no operator token, was asked by a host name that is not its own.',
    'Ask it by its address or as localhost, or set `OPERATOR_TOKEN` and send it.',
  ],
  foreign_origin: [403, 'A web page of an origin calls that may not.', 'Name the origin in `CORS_ORIGINS`.'],
  not_found: [
    404,
    'What the path or the body names does not exist, was deleted, or is not yours to see; or there is no such path.',
    'Check the id, and whether the member of the key is in the project.',
  ],
  method_not_allowed: [405, 'The path does not take this method.', '`Allow` lists those that it takes.'],
  request_timeout: [408, 'The request took too long to arrive.', 'Send it again; a POST with the same key.'],
  idempotency_key_reused: [
    409,
    'The `Idempotency-Key` came with another request before.',
    'Take a new key for each new intent. Do not send it again as it is.',
  ],
  etag_mismatch: [
    412,
    'It changed since you read the ETag in `If-Match`, or the path names something without an ETag.',
    'Read it again, make the change to what it is now, and send that.',
  ],
  project_archived: [412, 'The project is archived.', 'Unarchive it first.'],
  project_not_archived: [412, 'The project is not archived.', 'There is nothing to do.'],
  parent_deleted: [412, 'What it belongs to is deleted.', 'Restore that first.'],
  still_detaching: [412, 'What was deleted is still being taken off all that bore it.', 'Try again in a while.'],
  workspace_has_no_stages: [412, 'The task would come to a workspace without stages.', 'Add a stage first.'],
  workspace_holds_tasks: [412, 'The workspace still holds tasks.', 'Move or delete them first.'],
  stage_holds_tasks: [412, 'The stage still holds tasks.', 'Say where they go by `moveTasksTo`.'],
  stage_full: [412, 'The stage holds as many tasks as its `wipLimit` allows.', 'Move one out, or raise the limit.'],
  no_room: [
    412,
    'There are as many of it as there may be.',
    'Delete what is not needed; the sentence names the limit.',
  ],
  too_many_changes: [412, 'It would change more at once than one transaction takes.', 'Do it in parts.'],
  answer_too_long: [412, 'The answer of a bulk would be longer than 16 MB.', 'Do it in parts.'],
  subtask_finalized: [
    412,
    'The subtask is finalized, so it and its time are frozen.',
    'Reopen it first, or leave it as it is.',
  ],
  subtask_not_finalized: [412, 'The subtask is not finalized.', 'There is nothing to reopen.'],
  timer_running: [412, 'A timer runs on the subtask.', 'Stop the timer first.'],
  already_running: [
    412,
    'The member has a running entry already, and it may not be stopped for this one.',
    'Stop it first.',
  ],
  no_timer: [412, 'No timer of yours is running.', 'There is nothing to stop.'],
  time_overlaps: [
    412,
    'The entry overlaps another one of the member, and the organization rejects that.',
    'Choose other times.',
  ],
  time_locked: [
    412,
    'The time is in the period that the organization has locked.',
    'Ask an owner or an admin to move `timeLockedBefore`.',
  ],
  member_not_active: [412, 'The member is deactivated or removed.', 'Activate the member first.'],
  member_removed: [412, 'The member whose key it is was removed.', 'Make a key for another member.'],
  member_erased: [
    412,
    'The member was erased, and nothing brings it back.',
    'Add the person anew, if it is to be there again.',
  ],
  last_owner: [412, 'The organization would be left without an active owner.', 'Make somebody else an owner first.'],
  last_owner_key: [
    412,
    'No owner would have a key that works: all that they have were made by the member whom this concerns.',
    'Have another owner rotate their key, and do this with its successor.',
  ],
  key_made_by_member: [
    412,
    'The key in use was made by the member whom this concerns, and would die with it.',
    'Rotate the key, and do this with its successor.',
  ],
  leads_by_organization: [
    412,
    'The member leads every project as an owner or admin of the organization.',
    'Change the role in the organization instead.',
  ],
  api_key_revoked: [412, 'The key is revoked.', 'Make a new one.'],
  too_many_api_keys: [412, 'The member has as many living keys as one may have.', 'Revoke some first.'],
  position_expired: [
    412,
    'The events after the position are no longer kept, or the log never reached it.',
    'Read everything anew, then go on from the head of the log.',
  ],
  position_ahead: [412, 'The webhook has not got that far yet.', 'Name a position that it has passed.'],
  webhook_active: [412, 'The webhook is active already.', 'There is nothing to do.'],
  webhook_paused: [412, 'The webhook is paused already.', 'There is nothing to do.'],
  webhook_not_active: [412, 'The webhook is paused or disabled.', 'Resume it first.'],
  secret_key_missing: [412, 'The server has no `SECRET_KEY` to seal secrets with.', 'Its operator sets one.'],
  secret_key_differs: [
    412,
    'The server has another `SECRET_KEY` than the others on its database.',
    'Its operator gives all of them the same.',
  ],
  body_too_large: [413, 'The body is larger than 1 MiB.', 'Send less at once.'],
  url_too_long: [414, 'The URL is longer than 8,192 characters.', 'Ask with fewer or shorter filters.'],
  unsupported_media_type: [
    415,
    'The body is not `application/json` in UTF-8, or is compressed.',
    'Send it as plain JSON, with its `Content-Type`.',
  ],
  validation_failed: [
    422,
    'Fields of the body or the query are wrong, missing or unknown.',
    '`details` says of each field what is wrong. Mend it; sending it again does not help.',
  ],
  rate_limited: [429, 'The key has used up its rate limit.', 'Wait for as long as `Retry-After` says.'],
  too_many_streams: [
    429,
    'Your organization has as many streams open at this server as it may.',
    'Close some, or share one.',
  ],
  headers_too_large: [431, 'The headers are too large, or too many.', 'Send fewer; often cookies are to blame.'],
  internal: [
    500,
    'An error that nobody foresaw. Nothing was written.',
    'Try again, a POST with the same key; report it with the `X-Request-Id`.',
  ],
  unavailable: [
    503,
    'The server or its database cannot answer just now, or a request with this `Idempotency-Key` is under way.',
    'Wait for as long as `Retry-After` says and try again, a POST with the same key.',
  ],
} as const satisfies Record<string, Told>

/** A cause of a refusal, by its name. */
export type ErrorCode = keyof typeof errorCodes

/** The causes that come with a status. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code][0] extends Status ? Code : never
}[ErrorCode]
