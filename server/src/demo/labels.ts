import { normalizeText } from '../db/normalize-text.ts'
import { momentOf } from './calendar.ts'
import type { Seeding } from './seeding.ts'
import { type Discipline, disciplines, speech } from './words/disciplines.ts'
import { kinds } from './words/kinds.ts'
import { generalTags, timeTags } from './words/organization.ts'

/** The ids of task types by discipline, of tags by name. */
export interface Labels {
  types: Record<Discipline, string>
  tag(name: string): string
}

const colors = ['#1f6feb', '#8250df', '#bf8700', '#1a7f37', '#cf222e', '#bc4c00', '#57606a', '#0969da'] as const

/** Adds a task type for each discipline, and every tag that tasks and time bear. */
export function addLabels({ random, mint, day, rows }: Seeding): Labels {
  let createdMs = day(-19) + 10 * 3_600_000
  const next = () => {
    createdMs += random.between(20_000, 90_000)
    const createdAt = momentOf(createdMs)
    return { id: mint(createdMs), createdAt, updatedAt: createdAt }
  }
  const typeOf = (discipline: Discipline) => {
    const { name, color, icon } = speech[discipline]
    const made = next()
    rows.add('task_types', { ...made, name, nameKey: normalizeText(name), color, icon })
    return [discipline, made.id] as const
  }
  const types = Object.fromEntries(disciplines.map(typeOf)) as Record<Discipline, string>

  const names = [
    ...generalTags,
    ...timeTags,
    ...disciplines.flatMap((discipline) => speech[discipline].tags),
    ...kinds.flatMap(({ tags }) => tags),
  ]
  const tags = new Map<string, string>()
  for (const name of new Set(names)) {
    const made = next()
    rows.add('tags', { ...made, name, nameKey: normalizeText(name), color: random.pick(colors) })
    tags.set(name, made.id)
  }
  return {
    types,
    tag(name) {
      const id = tags.get(name)
      if (id === undefined) throw new RangeError(`There is no tag ${name}`)
      return id
    },
  }
}
