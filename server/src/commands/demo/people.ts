import { normalizeText } from '../../db/normalize-text.ts'
import { momentOf } from './calendar.ts'
import { at } from './random.ts'
import type { SeedContext } from './seeding.ts'
import { firstNames, lastNames } from './words/organization.ts'

/** A member of the organization. */
export interface DemoPerson {
  id: string
  name: string
  role: 'owner' | 'admin' | 'member'
}

/** The members of the organization. */
export interface People {
  /** the owner first, then admins */
  leaders: DemoPerson[]
  /** members who work on tasks */
  staff: DemoPerson[]
  /** a member who only views */
  onlooker: DemoPerson
}

/** Adds the members of an organization. @param count at most the number of names @param domain of their e-mail addresses */
export function addPeople({ random, mint, day, rows }: SeedContext, count: number, domain: string): People {
  const names = random.shuffled(firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`)))
  const admins = Math.max(2, Math.round(count / 60))
  const people = names.slice(0, count).map((name, place): DemoPerson => {
    const createdMs = day(-20) + random.between(9 * 3_600_000, 12 * 3_600_000)
    const person = {
      id: mint(createdMs),
      name,
      role: place === 0 ? 'owner' : place <= admins ? 'admin' : 'member',
    } as const
    const nameKey = normalizeText(name)
    const createdAt = momentOf(createdMs)
    const email = `${nameKey.replaceAll(' ', '.')}@${domain}`
    rows.add('members', { ...person, nameKey, email, createdAt, updatedAt: createdAt })
    return person
  })
  return {
    leaders: people.slice(0, admins + 1),
    staff: people.slice(admins + 1, -1),
    onlooker: at(people, people.length - 1),
  }
}
