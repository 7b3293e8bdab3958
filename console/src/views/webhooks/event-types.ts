import type { EventFilter } from '@taskwright/client'

const usual = ['created', 'updated', 'deleted', 'restored'] as const
const moved = [...usual, 'moved'] as const

/** What happens to each noun, in the words of the API. */
const happenings = {
  task: moved,
  subtask: [...moved, 'finalized', 'reopened'],
  comment: usual,
  time_entry: [...usual, 'left'],
  project: [...usual, 'archived', 'unarchived'],
  project_member: ['created', 'updated', 'deleted'],
  workspace: usual,
  stage: moved,
  order: ['respaced'],
  tag: usual,
  task_type: usual,
  member: [...usual, 'erased'],
  api_key: ['created', 'updated', 'revoked'],
  organization: usual,
  webhook: [...usual, 'disabled', 'secret_rotated', 'test', 'paused', 'resumed', 'replayed', 'redelivered'],
} as const

export type Noun = keyof typeof happenings
export const nouns = Object.keys(happenings) as Noun[]

/** Each type of events of a noun. */
export const typesOf = (noun: Noun) => happenings[noun].map((what) => `${noun}.${what}` as EventFilter)

/** Whether a choice takes in all events of a noun. */
export const takesAll = (chosen: readonly EventFilter[], noun: Noun): boolean => chosen.includes(`${noun}.*`)

/** The choice with or without all events of a noun. */
export function withNoun(chosen: readonly EventFilter[], noun: Noun, isWanted: boolean): EventFilter[] {
  const others = chosen.filter((type) => type.split('.')[0] !== noun)
  return isWanted ? [...others, `${noun}.*`] : others
}

/** The choice with or without one type. */
export function withType(chosen: readonly EventFilter[], type: EventFilter, isWanted: boolean): EventFilter[] {
  const noun = nouns.find((each) => type.startsWith(`${each}.`))
  if (noun === undefined) return [...chosen]
  const ofNoun = takesAll(chosen, noun) ? typesOf(noun) : typesOf(noun).filter((each) => chosen.includes(each))
  const wanted = typesOf(noun).filter((each) => (each === type ? isWanted : ofNoun.includes(each)))
  const others = withNoun(chosen, noun, false)
  return wanted.length === typesOf(noun).length ? [...others, `${noun}.*`] : [...others, ...wanted]
}
