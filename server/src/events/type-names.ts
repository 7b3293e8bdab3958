/** What happens to each kind of resource, by its noun: what routes and the server itself say that they emit. */
const verbs = {
  organization: ['created', 'updated', 'deleted', 'restored'],
  member: ['created', 'updated', 'deleted', 'restored', 'erased'],
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

/** The type of an event: the noun of a resource and what happened to it, `task.moved`. */
type EventTypeName = { [Noun in keyof Verbs]: `${Noun}.${Verbs[Noun][number]}` }[keyof Verbs]

/** What happens to a kind of resource. */
export const verbsOf = (noun: string): readonly string[] => (noun in verbs ? verbs[noun as keyof Verbs] : [])

/** Every type that an event may have. */
export const eventTypeNames: readonly EventTypeName[] = Object.entries(verbs).flatMap(([noun, some]) =>
  some.map((verb) => `${noun}.${verb}` as EventTypeName),
)

/** What may be asked for: each type, and `task.*` for all of a noun. */
export const typePatterns: readonly string[] = [...Object.keys(verbs).map((noun) => `${noun}.*`), ...eventTypeNames]

/** The types that patterns stand for, for feeds, streams and webhooks that are of some types only. */
export const typesMatching = (patterns: readonly string[]): EventTypeName[] =>
  eventTypeNames.filter((type) => matchesType(patterns, type))

/** Whether a type is one of those that patterns stand for. */
export const matchesType = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes(`${type.split('.')[0]}.*`)
