/** The verbs of each noun. Routes and jobs declare which of them they emit. */
const verbs = {
  organization: ['created', 'updated', 'deleted', 'restored'],
  member: ['created', 'updated', 'joined', 'sign_in_changed', 'deleted', 'restored', 'erased'],
  invitation: ['created', 'accepted', 'deleted'],
  api_key: ['created', 'updated', 'revoked'],
  project: ['created', 'updated', 'archived', 'unarchived', 'deleted', 'restored'],
  project_member: ['created', 'updated', 'deleted'],
  workspace: ['created', 'updated', 'deleted', 'restored'],
  stage: ['created', 'updated', 'moved', 'deleted', 'restored'],
  order: ['respaced'],
  task_type: ['created', 'updated', 'deleted', 'restored'],
  tag: ['created', 'updated', 'deleted', 'restored'],
  task: ['created', 'updated', 'moved', 'deleted', 'restored'],
  subtask: ['created', 'updated', 'moved', 'finalized', 'reopened', 'deleted', 'restored'],
  comment: ['created', 'updated', 'deleted', 'restored'],
  time_entry: ['created', 'updated', 'left', 'deleted', 'restored'],
  webhook: [
    ...['created', 'updated', 'paused', 'resumed', 'disabled', 'secret_rotated', 'test', 'replayed', 'redelivered'],
    ...['deleted', 'restored'],
  ],
} as const

type Verbs = typeof verbs

/** The type of an event, noun and verb: `task.moved`. */
type EventTypeName = { [Noun in keyof Verbs]: `${Noun}.${Verbs[Noun][number]}` }[keyof Verbs]

/** The verbs of a noun. */
export const verbsOf = (noun: string): readonly string[] => (noun in verbs ? verbs[noun as keyof Verbs] : [])

/** Every type of event. */
export const eventTypeNames: readonly EventTypeName[] = Object.entries(verbs).flatMap(([noun, some]) =>
  some.map((verb) => `${noun}.${verb}` as EventTypeName),
)

/** Every pattern that a filter accepts: each type, and `task.*` for all types of a noun. */
export const typePatterns: readonly string[] = [...Object.keys(verbs).map((noun) => `${noun}.*`), ...eventTypeNames]

/** The types that match a list of patterns, for feeds, streams and webhooks with a filter. */
export const typesMatching = (patterns: readonly string[]): EventTypeName[] =>
  eventTypeNames.filter((type) => matchesType(patterns, type))

/** Whether a type matches one of the patterns. */
export const matchesType = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes(`${type.split('.')[0]}.*`)
