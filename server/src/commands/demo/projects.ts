import { normalizeText } from '../../db/normalize-text.ts'
import { startOfKey } from '../../resources/projects/free-key.ts'
import { addBoard, type Board } from './boards.ts'
import { dateOf, momentOf, workdays } from './calendar.ts'
import type { DemoPerson, People } from './people.ts'
import { at, type Random } from './random.ts'
import type { SeedContext } from './seeding.ts'
import { type Discipline, disciplines } from './words/disciplines.ts'
import { kinds, type ProjectKind } from './words/kinds.ts'
import { boards as boardStages, clients } from './words/organization.ts'

/** A project while its year is generated. */
export interface SeededProject extends Year {
  id: string
  name: string
  key: string
  kind: ProjectKind
  nextName: () => TaskName
  lead: DemoPerson
  /** the lead first */
  team: DemoPerson[]
  boards: Board[]
  lastNumber: number
}

interface TaskName {
  name: string
  discipline: Discipline
}

interface Year {
  /** the share of the work */
  weight: number
  /** the working days on which tasks are created */
  from: number
  until: number
  /** the working day on which all tasks are done; infinite for a running project */
  ends: number
  /** whether its tasks are on a board of the whole organization */
  isOnSharedBoard: boolean
}

const running = { from: 0, until: workdays - 1, ends: Number.POSITIVE_INFINITY, isOnSharedBoard: false }

// the years of eight projects: most run all year, one is finished and archived, two began later, and the last one is small
const years: readonly Year[] = [
  { ...running, weight: 1.3 },
  { ...running, weight: 1.6 },
  { ...running, weight: 1.4 },
  { ...running, weight: 1, isOnSharedBoard: true },
  { ...running, weight: 1.1, until: 145, ends: 150 },
  { ...running, weight: 1.2, from: 60 },
  { ...running, weight: 1.2, from: 140, isOnSharedBoard: true },
  { ...running, weight: 0.22, isOnSharedBoard: true },
]

/** The index of the only project that the onlooker sees. */
export const smallProject = 7

/** The limit of projects: each has a different combination of client and kind. */
export const mostProjects = clients.length * kinds.length

/** Adds all projects, with their members and boards, and the boards of the whole organization. */
export function addProjects(seeding: SeedContext, people: People, count: number): SeededProject[] {
  const { random, mint, day, rows } = seeding
  const boardsMs = day(-18) + 11 * 3_600_000
  addBoard(seeding, { name: 'Someday', projectId: null, description: 'Not planned yet.', stages: [] }, boardsMs)
  const shared = addBoard(seeding, { name: 'Studio board', projectId: null, stages: boardStages.Delivery }, boardsMs)
  const customers = random.shuffled(clients)
  const nextNames = kinds.map((kind) => taskNames(kind, random))
  const keys = new Set<string>()
  return Array.from({ length: count }, (_, place) => {
    const kind = at(kinds, place % kinds.length)
    const year = at(years, place % years.length)
    const name = `${at(customers, place % customers.length)}: ${kind.name}`
    let key = startOfKey(name)
    for (let number = 2; keys.has(key); number++) key = `${startOfKey(name)}${number}`
    keys.add(key)
    const createdMs = day(year.from - 3) + random.between(9 * 3_600_000, 16 * 3_600_000)
    const id = mint(createdMs)
    const createdAt = momentOf(createdMs)
    const isOver = year.ends < workdays
    rows.add('projects', {
      id,
      name,
      nameKey: normalizeText(name),
      key,
      description: kind.description,
      color: kind.color,
      status: isOver ? 'archived' : 'active',
      startDate: dateOf(day(year.from)),
      dueDate: dateOf(day(isOver ? year.ends : workdays + random.between(10, 90))),
      version: isOver ? 2 : 1,
      createdAt,
      updatedAt: isOver ? momentOf(day(year.ends + 1) + 40_000_000) : createdAt,
    })
    const lead = at(people.staff, place % people.staff.length)
    const creator = at(people.leaders, place % people.leaders.length)
    const size = Math.max(4, Math.round((people.staff.length * 4) / count))
    const others = random.shuffled(people.staff.filter((person) => person !== lead)).slice(0, size - 1)
    const join = ({ id: memberId }: DemoPerson, role: string) =>
      rows.add('project_members', { projectId: id, memberId, role, createdAt, updatedAt: createdAt })
    join(creator, 'lead')
    join(lead, 'lead')
    for (const person of others) join(person, 'contributor')
    if (place === smallProject) join(people.onlooker, 'viewer')
    const boards = year.isOnSharedBoard
      ? [shared]
      : kind.boards.map((board) => {
          const own = { name: `${key} ${board}`, projectId: id, stages: boardStages[board] }
          return addBoard(seeding, own, day(year.from - 3) + 16.5 * 3_600_000)
        })
    const nextName = at(nextNames, place % kinds.length)
    return { ...year, id, name, key, kind, nextName, lead, team: [lead, ...others, creator], boards, lastNumber: 0 }
  })
}

// a kind has several hundred names: with more tasks, names repeat
const mostTries = 20

/** Generates task names for a kind of project. It repeats a name only after `mostTries` attempts at a new one. */
function taskNames({ patterns, words }: ProjectKind, random: Random): () => TaskName {
  const all = disciplines.flatMap((discipline) =>
    (patterns[discipline] ?? []).map((pattern) => ({ discipline, pattern })),
  )
  const taken = new Set<string>()
  return () => {
    for (let tries = 1; ; tries++) {
      const { discipline, pattern } = random.pick(all)
      const name = pattern.replace(/\{(\w+)\}/g, (_, hole) => random.pick((words[hole] ?? '').split(', ')))
      if (taken.has(name) && tries < mostTries) continue
      taken.add(name)
      return { name, discipline }
    }
  }
}
