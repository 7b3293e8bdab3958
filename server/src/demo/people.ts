import { normalizeText } from '../db/normalize-text.ts'
import { momentOf } from './calendar.ts'
import { at } from './random.ts'
import type { Seeding } from './seeding.ts'
import { firstNames, lastNames } from './words/organization.ts'

/** A member of the organization. */
export interface Person {
  id: string
  name: string
  role: 'owner' | 'admin' | 'member'
}

/** Everybody: the owner first, then admins, then members, of whom the last only looks on. */
export interface People {
  owner: Person
  /** owner and admins */
  leaders: Person[]
  /** members who work */
  staff: Person[]
  onlooker: Person
}

/** Adds the members of an organization whose mail goes to `domain`. */
export function addPeople(seeding: Seeding, count: number, domain: string): People {
  const names = seeding.random.shuffled(firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`)))
  const admins = Math.max(2, Math.round(count / 60))
  const people = Array.from({ length: count }, (_, place): Person => {
    const role = place === 0 ? 'owner' : place <= admins ? 'admin' : 'member'
    return addPerson(seeding, nameAt(names, place), role, domain)
  })
  return {
    owner: at(people, 0),
    leaders: people.slice(0, admins + 1),
    staff: people.slice(admins + 1, -1),
    onlooker: at(people, count - 1),
  }
}

// beyond some fifteen hundred people namesakes tell themselves apart by a number
const nameAt = (names: readonly string[], place: number) => {
  const round = Math.floor(place / names.length)
  return at(names, place % names.length) + (round === 0 ? '' : ` ${round + 1}`)
}

function addPerson(seeding: Seeding, name: string, role: Person['role'], domain: string): Person {
  const createdMs = seeding.day(-20) + seeding.random.between(9 * 3_600_000, 12 * 3_600_000)
  const person = { id: seeding.mint(createdMs), name, role }
  const nameKey = normalizeText(name)
  const createdAt = momentOf(createdMs)
  const email = `${nameKey.replaceAll(' ', '.')}@${domain}`
  seeding.rows.add('members', { ...person, nameKey, email, createdAt, updatedAt: createdAt })
  return person
}
