import { normalizeText } from '../../db/normalize-text.ts'
import { momentOf } from './calendar.ts'
import type { SeedContext } from './seeding.ts'
import { type Discipline, disciplines, disciplineWords } from './words/disciplines.ts'
import { kinds } from './words/kinds.ts'
import { generalTags, timeTags } from './words/organization.ts'

/** The ids of task types by discipline, and of tags by name. */
export interface Labels {
  types: ReadonlyMap<Discipline, string>
  tags: ReadonlyMap<string, string>
}

const colors = ['#1f6feb', '#8250df', '#bf8700', '#1a7f37', '#cf222e', '#bc4c00', '#57606a', '#0969da'] as const

/** Adds a task type for each discipline, and all tags of tasks and time entries. */
export function addLabels({ random, mint, day, rows }: SeedContext): Labels {
  const createdMs = day(-19) + 10 * 3_600_000
  const createdAt = momentOf(createdMs)
  function add(table: string, name: string, rest: Record<string, string>): string {
    const id = mint(createdMs)
    rows.add(table, { id, name, nameKey: normalizeText(name), ...rest, createdAt, updatedAt: createdAt })
    return id
  }
  const tags = new Set([
    ...generalTags,
    ...timeTags,
    ...disciplines.flatMap((discipline) => disciplineWords[discipline].tags),
    ...kinds.flatMap((kind) => kind.tags),
  ])
  return {
    types: new Map(
      disciplines.map((discipline) => {
        const { name, color, icon } = disciplineWords[discipline]
        return [discipline, add('task_types', name, { color, icon })]
      }),
    ),
    tags: new Map([...tags].map((name) => [name, add('tags', name, { color: random.pick(colors) })])),
  }
}
