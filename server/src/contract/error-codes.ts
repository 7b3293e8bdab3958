/** The status of an error code, its cause, and the remedy. */
type ErrorCodeEntry = readonly [status: number, when: string, remedy: string]

/** The values of `X-Error-Code`. A code never changes its meaning; any version can add codes. */
export const errorCodes = {
  bad_request: [
    400,
    'The server cannot read the request as HTTP or JSON, and no other code describes the reason.',
    'Correct the request.',
  ],
  malformed_http: [
    400,
    'The request is not valid HTTP, has no `Host` header, or repeats a header that may be sent only once.',
    'Use an ordinary HTTP client.',
  ],
  malformed_json: [
    400,
    'The body is not valid JSON in UTF-8, is nested too deeply, or contains too many values.',
    'Write the body with a JSON library, not by hand.',
  ],
  invalid_idempotency_key: [
    400,
    'The `Idempotency-Key` is not 1 to 255 visible ASCII characters.',
    'Send a UUID as the key.',
  ],
  invalid_if_match: [
    400,
    'The `If-Match` header is not an ETag in double quotes, a list of ETags, or `*`.',
    'Send the `ETag` exactly as you received it, with its quotes.',
  ],
  invalid_last_event_id: [
    400,
    'The `Last-Event-ID` is not the id of an event in this stream.',
    'Send the last `id` that you received, or send no `Last-Event-ID`.',
  ],
  pipelined_stream: [
    400,
    'The request asks for a stream on a connection that still waits for another response.',
    'Open a separate connection for the stream.',
  ],
  stage_of_other_workspace: [
    400,
    'The stage does not belong to the workspace in the request.',
    'Send a stage of that workspace, or leave the stage out to use the first one.',
  ],
  workspace_of_other_project: [
    400,
    'The workspace and the task belong to different projects.',
    'Send a workspace of that project, or a workspace of the whole organization.',
  ],
  authorization_pending: [
    400,
    'Nobody has approved the login of this device yet. (RFC 8628)',
    'Ask again after `interval` seconds.',
  ],
  slow_down: [400, 'The device asks too often whether its login was approved. (RFC 8628)', 'Wait 5 seconds longer.'],
  access_denied: [400, 'A person denied the login of this device. (RFC 8628)', 'Begin a new login.'],
  expired_token: [
    400,
    'The login of this device was not approved in time, or its answer was given already. (RFC 8628)',
    'Begin a new login.',
  ],
  not_beside: [
    400,
    '`beforeId` or `afterId` is the id of an item that is not in the same list.',
    'Read the list again, and send the id of an item in it.',
  ],
  organization_needed: [
    400,
    'You signed in with a session and are a member of several organizations.',
    'Name one of them by its id in `X-Organization`. `GET /auth/session` lists them.',
  ],
  unauthorized: [
    401,
    'The API key is missing, malformed, unknown, expired or revoked, or the request has two different keys. Or the session ' +
      'has ended.',
    'Send a key that works, or sign in again. A retry with the same key does not help.',
  ],
  sign_in_failed: [
    401,
    'The server does not accept this proof of who you are, such as a wrong password.',
    'Try again, use another way to sign in, or ask an owner or admin for a new link.',
  ],
  missing_scope: [
    403,
    'The operation needs the scope `read` or `write`, and the API key does not have this scope.',
    'Use a key with that scope.',
  ],
  missing_role: [
    403,
    'Your role in the organization does not allow the operation.',
    'Ask an owner or an admin to do it, or to change your role.',
  ],
  missing_project_role: [
    403,
    'Your role in the project does not allow the operation.',
    'Ask a lead of the project to do it, or to change your role.',
  ],
  not_yours: [403, 'Only another member can do this, such as the author of a comment.', 'Ask that member to do it.'],
  key_not_yours: [
    403,
    'A key that was created with this key belongs to a member whose keys you cannot revoke, for example because ' +
      'their role is above yours.',
    'Ask an owner to revoke the key. Or add `descendants=false` to revoke only the key in the path.',
  ],
  not_a_member: [
    403,
    'You signed in with a session, and you are not an active member of this organization.',
    'Check `X-Organization`, or ask an owner or admin of the organization to invite you.',
  ],
  cross_site: [
    403,
    'The request has the cookie of a session or signs in, and a page of another site may have sent it.',
    'Send it from a page of this server. A program must use an API key.',
  ],
  sign_in_again: [
    403,
    'The act cannot be undone, or changes how you sign in, and your last sign-in is older than 15 minutes.',
    'Sign in again, then repeat the request.',
  ],
  way_off: [
    403,
    'This way to sign in is off on this server.',
    'Use another way, or ask the operator to add it to `SIGN_IN`.',
  ],
  role_above_own: [403, 'The request would give a member a role above your own.', 'Ask a member who has that role.'],
  wider_scopes: [
    403,
    'The new key would have more scopes than the key you use.',
    'Ask for fewer scopes, or use another key.',
  ],
  sealed: [
    403,
    'The stored response for this `Idempotency-Key` contains a secret. Only the API key that sent the first ' +
      'request can read the response again.',
    'Repeat the request with that API key. If you no longer have it, create a new secret.',
  ],
  not_inside: [403, 'The operation cannot be part of a bulk request.', 'Send the operation as a separate request.'],
  foreign_host: [
    403,
    'The request used a host name that is not the name of the server, and the server has no operator token.',
    'Use the IP address of the server or localhost, or set `OPERATOR_TOKEN` and send it.',
  ],
  foreign_origin: [
    403,
    'A web page sent the request from an origin that the server does not allow.',
    'Ask the operator to add the origin to `CORS_ORIGINS`.',
  ],
  not_found: [
    404,
    'The path does not exist. Or the path or the body has the id of a resource that does not exist, was deleted, ' +
      'or is not visible to you.',
    'Check the path and the id, and whether you are a member of the project.',
  ],
  method_not_allowed: [405, 'The path does not support this method.', 'Use one of the methods in the `Allow` header.'],
  request_timeout: [
    408,
    'The request took too long to arrive.',
    'Send it again. Repeat a POST with the same `Idempotency-Key`.',
  ],
  idempotency_key_reused: [
    409,
    'The `Idempotency-Key` was already used for a different request.',
    'Use a new key for each new request. A retry of this request does not help.',
  ],
  etag_mismatch: [
    412,
    'The resource changed after you read the ETag in `If-Match`, or the path has no ETag.',
    'Read the resource again, apply your change, and send the new `ETag`.',
  ],
  project_archived: [412, 'The project is archived.', 'Unarchive the project first.'],
  project_not_archived: [412, 'The project is not archived.', 'There is nothing to do.'],
  parent_deleted: [
    412,
    'The resource belongs to a deleted resource, such as a subtask of a deleted task.',
    'Restore the deleted resource first.',
  ],
  still_detaching: [
    412,
    'The server is still removing the deleted tag, task type or member from other resources.',
    'Try again in a few minutes.',
  ],
  workspace_has_no_stages: [412, 'The task would go to a workspace that has no stages.', 'Create a stage first.'],
  workspace_holds_tasks: [412, 'The workspace still contains tasks.', 'Move or delete the tasks first.'],
  stage_holds_tasks: [412, 'The stage still contains tasks.', 'Send the id of another stage as `moveTasksTo`.'],
  stage_full: [
    412,
    'The stage already has as many tasks as its `wipLimit` allows.',
    'Move a task out of the stage, or raise the limit.',
  ],
  no_room: [
    412,
    'A limit on the number of items is reached, such as the subtasks of a task.',
    'Delete items that you no longer need. The error message names the limit.',
  ],
  too_many_changes: [
    412,
    'The request would change more at once than one transaction allows.',
    'Split it into smaller requests.',
  ],
  answer_too_long: [
    412,
    'The response to the bulk request would be longer than 16 MB.',
    'Split it into smaller requests.',
  ],
  subtask_finalized: [
    412,
    'The subtask is finalized, so the subtask and its time cannot change.',
    'If you must change it, reopen the subtask first.',
  ],
  subtask_not_finalized: [412, 'The subtask is not finalized.', 'There is nothing to reopen.'],
  timer_running: [412, 'A timer is running on the subtask.', 'Stop the timer first.'],
  already_running: [
    412,
    'The member already has a running time entry, and this request does not stop it.',
    'Stop that time entry first.',
  ],
  no_timer: [412, 'You have no running timer.', 'There is nothing to stop.'],
  time_overlaps: [
    412,
    'The time entry overlaps another one of the member, and the organization does not allow that.',
    'Choose other times.',
  ],
  time_locked: [
    412,
    'The time is in a period that the organization has locked.',
    'Ask an owner or an admin to move `timeLockedBefore`.',
  ],
  member_not_active: [412, 'The member is deactivated or removed.', 'Reactivate or restore the member first.'],
  member_removed: [412, 'The member that the key belongs to was removed.', 'Create a key for another member.'],
  member_erased: [
    412,
    'The member was erased and cannot be restored.',
    'Create a new member for this person, if you need one.',
  ],
  link_invalid: [
    412,
    'The link was used before, has expired, was replaced by a newer one, or is wrong.',
    'Ask for a new link.',
  ],
  last_way_in: [
    412,
    'You could not sign in any more without this passkey, password or account.',
    'Add another way to sign in first.',
  ],
  no_address: [
    412,
    'You have no address to sign in with, because another person on this server has it.',
    'Add a passkey or an account at a provider. Or open the invitation that was mailed to you.',
  ],
  already_joined: [
    412,
    'The member has joined already.',
    'There is nothing to do. A sign-in link helps if they are locked out.',
  ],
  other_person: [
    412,
    'You are signed in as somebody who cannot use this invitation, such as another member of the organization.',
    'Sign out, then open the link again.',
  ],
  sign_in_first: [
    412,
    'The address of this invitation belongs to somebody who signs in on this server already.',
    'Sign in, then open the link again.',
  ],
  last_owner: [412, 'The organization would be left without an active owner.', 'Make another member an owner first.'],
  last_owner_key: [
    412,
    'No owner would have a working key, because the member that you change or remove created all their keys.',
    'Ask another owner to rotate their own key. They can repeat the request with the new key.',
  ],
  key_made_by_member: [
    412,
    'The member that you change or remove created the key you use. The request would revoke that key.',
    'Rotate the key, then repeat the request with the new key.',
  ],
  leads_by_organization: [
    412,
    'The member is an owner or admin of the organization. So they are a lead in every project.',
    'Change the role in the organization instead.',
  ],
  api_key_revoked: [412, 'The key is revoked.', 'Create a new key.'],
  too_many_api_keys: [412, 'The member already has the maximum number of valid keys.', 'Revoke a key first.'],
  position_expired: [
    412,
    'The events after the position are no longer stored, or the log never reached that position.',
    'Read `GET /events/head`. Then read all data again, and continue from `latest`.',
  ],
  position_ahead: [
    412,
    'The webhook has not reached the position yet.',
    'Send a position that the webhook has passed.',
  ],
  webhook_active: [412, 'The webhook is already active.', 'There is nothing to do.'],
  webhook_paused: [412, 'The webhook is already paused.', 'There is nothing to do.'],
  webhook_not_active: [412, 'The webhook is paused or disabled.', 'Resume the webhook first.'],
  secret_key_missing: [
    412,
    'The server has no `SECRET_KEY`, so it cannot encrypt secrets.',
    'Ask the operator to set a `SECRET_KEY`.',
  ],
  secret_key_differs: [
    412,
    'The server and the other servers on its database do not have the same `SECRET_KEY`.',
    'Ask the operator to set the same `SECRET_KEY` on all servers.',
  ],
  body_too_large: [413, 'The body is larger than 1 MiB.', 'Send less in one request.'],
  url_too_long: [414, 'The URL is longer than 8,192 characters.', 'Use fewer or shorter parameters.'],
  unsupported_media_type: [
    415,
    'The body is not `application/json` in UTF-8, or it is compressed.',
    'Send it as uncompressed JSON, with its `Content-Type`.',
  ],
  validation_failed: [
    422,
    'A field of the body or a parameter of the query is wrong, missing or unknown.',
    'Correct the fields in `details`. A retry of the same request does not help.',
  ],
  rate_limited: [429, 'The key has reached its rate limit.', 'Wait as many seconds as `Retry-After` says.'],
  too_many_attempts: [
    429,
    'Too many sign-ins failed for this account or from this network.',
    'Wait as many seconds as `Retry-After` says, then try again.',
  ],
  too_many_streams: [
    429,
    'Your organization already has the maximum number of open streams with this server process.',
    'Close some streams, or share one.',
  ],
  headers_too_large: [
    431,
    'The headers are too large, or there are too many.',
    'Send fewer headers. Cookies are often the cause.',
  ],
  internal: [
    500,
    'An unexpected error occurred. Nothing was written.',
    'Try again. Repeat a POST with the same `Idempotency-Key`. Report the error with its `X-Request-Id`.',
  ],
  unavailable: [
    503,
    'The server or its database is not available now, or a request with this `Idempotency-Key` is still in ' +
      'progress.',
    'Wait as many seconds as `Retry-After` says, then try again. Repeat a POST with the same `Idempotency-Key`.',
  ],
} as const satisfies Record<string, ErrorCodeEntry>

/** The name of an error code. */
export type ErrorCode = keyof typeof errorCodes

/** The error codes with a certain status. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code][0] extends Status ? Code : never
}[ErrorCode]
