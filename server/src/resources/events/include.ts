import { type IncludedPart, includable } from '../../lists/include.ts'
import { NamedMember, namedMembers } from '../member.ts'
import { PastEvent } from './event.ts'

/** The member who made a change, as a part of the response. */
export const actingMember = <Item extends Pick<PastEvent, 'actor'>>(): IncludedPart<Item> => ({
  schema: NamedMember.nullable().meta({
    description: 'The member who made the change. Null if `actor.memberId` is null.',
  }),
  needs: ['actor' as keyof Item & string],
  async read({ db, caller }, events) {
    const ids = new Set(events.flatMap(({ actor }) => actor.memberId ?? []))
    const named = await namedMembers(db, caller, [...ids])
    const texts = new Map(named.map((one) => [one.id, JSON.stringify(one)]))
    return ({ actor }) => ({ json: texts.get(actor.memberId ?? '') ?? 'null' })
  },
})

/** The parts that `include` can add to an event in the history of a task. */
export const pastEventIncludes = includable<PastEvent>(PastEvent, 'An event in the history of a task', {
  member: actingMember(),
})
