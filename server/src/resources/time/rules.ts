import { invalid } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'

interface Parents {
  taskId?: string | null | undefined
  subtaskId?: string | null | undefined
}

interface Ends {
  endedAt?: string | null | undefined
  durationSeconds?: number | undefined
}

// a rule over several fields is checked even when one of them is wrong in itself: both errors come in one answer
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

const given = (value: unknown) => value !== undefined && value !== null

const isGiven = { not: { const: null } }

const sent = (field: string) => ({ required: [field], properties: { [field]: {} } })

const either = [
  { required: ['taskId'], properties: { taskId: isGiven, subtaskId: { const: null } } },
  { required: ['subtaskId'], properties: { subtaskId: isGiven, taskId: { const: null } } },
]

/** @see docs/contract.md §2.7 */
export const exactlyOneParent = [
  ({ taskId, subtaskId }: Parents) => given(taskId) !== given(subtaskId),
  { error: 'Exactly one of taskId and subtaskId is required', ...always },
] as const

/** The same rule for readers of the schema. */
export const exactlyOneParentSchema = { oneOf: either }

export const oneParentAtMost = [
  ({ taskId, subtaskId }: Parents) =>
    (taskId === undefined && subtaskId === undefined) || given(taskId) !== given(subtaskId),
  { error: 'Exactly one of taskId and subtaskId names what it is recorded on', ...always },
] as const

/** The same rule for readers of the schema. */
export const oneParentAtMostSchema = {
  oneOf: [...either, { not: { anyOf: [sent('taskId'), sent('subtaskId')] } }],
}

export const atMostOneEnd = [
  ({ endedAt, durationSeconds }: Ends) => !given(endedAt) || durationSeconds === undefined,
  { error: 'At most one of endedAt and durationSeconds may be given', ...always },
] as const

/** The same rule for readers of the schema. */
export const atMostOneEndSchema = {
  not: { required: ['endedAt', 'durationSeconds'], properties: { endedAt: isGiven, durationSeconds: {} } },
}

/**
 * When an entry ends: as given, after its duration, or as before.
 * @throws 422 when that is before its start, or no moment that may be given
 */
export function endOf(startedAt: string, { endedAt, durationSeconds }: Ends, before?: string | null) {
  const end =
    durationSeconds === undefined
      ? endedAt === undefined
        ? before
        : endedAt
      : new Date(Date.parse(startedAt) + durationSeconds * 1_000).toISOString()
  if (end && end < startedAt) throw invalid({ endedAt: ['Must not be before startedAt'] })
  if (end && durationSeconds !== undefined && !Moment.safeParse(end).success) {
    throw invalid({ durationSeconds: ['Must end before 2100'] })
  }
  return end
}

/** How far the clock of a client may be ahead. */
const toleranceMs = 60_000

/**
 * What runs, runs now: it would stop what runs today on a day to come, and say nothing until then.
 * @throws 422 when it would start later
 */
export function refuseIfYetToStart(startedAt: string, now: string): void {
  if (Date.parse(startedAt) <= Date.parse(now) + toleranceMs) return
  throw invalid({ startedAt: ['Must not lie in the future while the entry runs'] })
}

interface Span {
  startedAt: string
  endedAt: string | null
}

/** Whether one span of time reaches beyond another; without an end it has none to reach beyond. */
export const isBeyond = (span: Span, other: Span) =>
  span.startedAt < other.startedAt || (other.endedAt !== null && (span.endedAt ?? '~') > other.endedAt)
