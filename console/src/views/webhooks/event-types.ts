import { type EventFilter, type EventType, eventTypes } from '@taskwright/client'
import { webhookWords } from './webhook-words.ts'

type NounOf<Type> = Type extends `${infer Noun}.${string}` ? Noun : never
export type Noun = NounOf<EventType>

const names: Record<Noun, string> = webhookWords.nouns
export const nouns = Object.keys(names) as Noun[]

/** The event types of a noun. */
export const typesOf = (noun: Noun): EventFilter[] => eventTypes.filter((type) => type.startsWith(`${noun}.`))

/** Whether a choice includes all events of a noun. */
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
