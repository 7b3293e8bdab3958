import type { Answer } from '../../operations/answer.ts'

/** A refused call. Its message tells the agent what to do next. */
export class Refusal extends Error {
  /** the error code, for the log */
  readonly code: string

  constructor(message: string, code = 'refused') {
    super(message)
    this.code = code
  }
}

interface Envelope {
  error: string
  details?: { formErrors: string[]; fieldErrors: Record<string, string[]> }
}

/**
 * Translates an error response into the words of the tools.
 * @param about names the resource in the message of a 404: `the task WEB-99`
 */
export function refusalOf({ status, headers, body }: Answer, requestId: string, about: string): Refusal {
  const { error, details } = JSON.parse(String(body)) as Envelope
  const code = headers['x-error-code'] ?? 'refused'
  if (status === 404) return new Refusal(`Not found: ${about}. It does not exist, or you cannot see it.`, code)
  if (status === 422 && details) return new Refusal(wrongArguments(details), code)
  if (status === 429 || status === 503) {
    const seconds = headers['retry-after'] ?? '1'
    return new Refusal(`${error}. Wait ${seconds} s, then repeat exactly this call: nothing is done twice.`, code)
  }
  if (status >= 500) {
    return new Refusal(
      `The server had an error (request ${requestId}). Repeat exactly this call once: nothing is done twice.`,
      code,
    )
  }
  return new Refusal([sentence(named(error)), next[code] ?? nextOf[status]].filter(Boolean).join(' '), code)
}

/** A message with one line for each wrong argument. */
export function wrongArguments({ formErrors, fieldErrors }: NonNullable<Envelope['details']>): string {
  const fields = Object.entries(fieldErrors).flatMap(([path, messages]) =>
    messages.map((message) => `${argumentOf(path)}: ${withArguments(message)}`),
  )
  const lines = [...formErrors.map((error) => withArguments(named(error))), ...fields].slice(0, mostLines)
  return ['Wrong arguments. Correct them and call again.', ...lines.map((line) => `- ${line}`)].join('\n')
}

const mostLines = 12

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Removes the prefix of a bulk operation, which an agent does not know. */
const named = (text: string): string => text.replace(/^operations\.\d+: /, '')

/** The tool argument that sets a field of an operation. */
function argumentOf(path: string): string {
  const own = path.replace(/^operations\.\d+\.(body|query)\./, '')
  const [field = '', ...rest] = own.split('.')
  return [argumentNames[field] ?? field, ...rest].join('.')
}

/** Replaces the fields that a message names by the arguments of tools. */
const withArguments = (message: string): string =>
  message.replace(
    /\b[a-z]+[A-Z]\w*/g,
    (word) => (Object.hasOwn(argumentNames, word) ? argumentNames[word] : word) ?? word,
  )

const argumentNames: Record<string, string> = {
  ...{
    projectId: 'project',
    workspaceId: 'board',
    stageId: 'stage',
    typeId: 'type',
    taskId: 'task',
    subtaskId: 'subtask',
  },
  ...{ assigneeId: 'assignee', assigneeIds: 'assignees', tagIds: 'tags', tagId: 'tag', memberId: 'member', q: 'query' },
  ...{ estimateSeconds: 'estimate', durationSeconds: 'duration', startedAt: 'start', endedAt: 'end' },
  ...{ beforeId: 'before', afterId: 'after' },
  ...{ updatedAfter: 'updatedSince', startedAfter: 'since', startedBefore: 'before' },
}

const nextOf: Record<number, string> = {
  403: 'Do not try again. A member with more rights must do this.',
}

const next: Record<string, string> = {
  missing_scope: 'Do not try again. This needs another API key.',
  idempotency_key_reused: 'Give a new idempotencyKey, or omit it.',
  etag_mismatch: 'Read the task again, then edit it with its new version.',
  stage_full: 'Choose another stage, or ask the user to move a task out of it first.',
  subtask_finalized: 'Reopen it with set_subtasks first, if the user wants that.',
  timer_running: 'Stop it with set_timer first, if it is yours.',
  time_overlaps: 'See the existing entries with list_time, and choose other times.',
  project_archived: 'Do not try again. A lead of the project must unarchive it first.',
}
