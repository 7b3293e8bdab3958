import { normalizeText } from '../db/normalize-text.ts'
import { startOfKey } from '../resources/projects/free-key.ts'
import { addBoard, type Board } from './boards.ts'
import { dateOf, momentOf, workdays } from './calendar.ts'
import type { People, Person } from './people.ts'
import { at, type Random } from './random.ts'
import type { Seeding } from './seeding.ts'
import { type Discipline, disciplines } from './words/disciplines.ts'
import { kinds, type ProjectKind } from './words/kinds.ts'
import { boards as boardStages, clients } from './words/organization.ts'

/** A project while its year is made. */
export interface Project {
  id: string
  name: string
  key: string
  kind: ProjectKind
  /** a name for the next task */
  nextName: () => TaskName
  /** its share of the work */
  weight: number
  /** the working days on which tasks are created */
  from: number
  until: number
  /** the working day on which everything is done; infinite while it runs */
  ends: number
  lead: Person
  /** who works in it, the lead first */
  team: Person[]
  boards: Board[]
  lastNumber: number
}

interface TaskName {
  name: string
  discipline: Discipline
}

interface Year {
  weight: number
  /** working days */
  from: number
  ends?: number
  /** whether its tasks stand on a board of the whole organization */
  isOnSharedBoard?: boolean
}

// of eight projects: most run throughout, one is over and archived, two began later; the last one is small
const years: readonly Year[] = [
  { weight: 1.3, from: 0 },
  { weight: 1.6, from: 0 },
  { weight: 1.4, from: 0 },
  { weight: 1, from: 0, isOnSharedBoard: true },
  { weight: 1.1, from: 0, ends: 150 },
  { weight: 1.2, from: 60 },
  { weight: 1.2, from: 140, isOnSharedBoard: true },
  { weight: 0.22, from: 0, isOnSharedBoard: true },
]

/** The place of the one project that the onlooker sees. */
export const smallProject = 7

/** Adds all projects, with their members and boards, and the boards of the whole organization. */
export function addProjects(seeding: Seeding, people: People, count: number): Project[] {
  const { random, day } = seeding
  const boardsMs = day(-18) + 11 * 3_600_000
  addBoard(seeding, { name: 'Someday', projectId: null, description: 'Not planned yet.', stages: [] }, boardsMs)
  const sharedBoards = Array.from({ length: Math.ceil(count / years.length) }, (_, round) => {
    const name = round === 0 ? 'Studio board' : `Studio board ${round + 1}`
    return addBoard(seeding, { name, projectId: null, stages: boardStages.Delivery }, boardsMs)
  })
  const customers = random.shuffled(clients)
  const nextNames = kinds.map((kind) => taskNames(kind, random))
  const keys = new Set<string>()
  return Array.from({ length: count }, (_, place) => {
    const kind = at(kinds, place % kinds.length)
    const round = Math.floor(place / (customers.length * kinds.length))
    const name = `${at(customers, place % customers.length)}: ${kind.name}${round === 0 ? '' : ` ${round + 1}`}`
    let key = startOfKey(name)
    for (let number = 2; keys.has(key); number++) key = `${startOfKey(name)}${number}`
    keys.add(key)
    const year = at(years, place % years.length)
    const nextName = at(nextNames, place % kinds.length)
    const project = addProject(seeding, people, { place, count, name, key, kind, nextName, year })
    if (year.isOnSharedBoard) project.boards = [at(sharedBoards, Math.floor(place / years.length))]
    return project
  })
}

interface Wanted extends Pick<Project, 'name' | 'key' | 'kind' | 'nextName'> {
  place: number
  /** of all projects */
  count: number
  year: Year
}

function addProject(seeding: Seeding, people: People, wanted: Wanted): Project {
  const { random, mint, day, rows } = seeding
  const { place, count, year, name, key, kind, nextName } = wanted
  const { weight, from, ends = Number.POSITIVE_INFINITY } = year
  const createdMs = day(from - 3) + random.between(9 * 3_600_000, 16 * 3_600_000)
  const id = mint(createdMs)
  const isOver = ends < workdays
  const createdAt = momentOf(createdMs)
  rows.add('projects', {
    id,
    name,
    nameKey: normalizeText(name),
    key,
    description: kind.description,
    color: kind.color,
    status: isOver ? 'archived' : 'active',
    startDate: dateOf(day(from)),
    dueDate: weight < 1 ? null : dateOf(day(isOver ? ends : workdays + random.between(10, 90))),
    version: isOver ? 2 : 1,
    createdAt,
    updatedAt: isOver ? momentOf(day(ends + 1) + 40_000_000) : createdAt,
  })
  const creator = at(people.leaders, place % people.leaders.length)
  const lead = at(people.staff, place % people.staff.length)
  const size = Math.max(4, Math.round((people.staff.length * 4) / count))
  const others = random.shuffled(people.staff.filter((person) => person !== lead)).slice(0, size - 1)
  const join = ({ id: memberId }: Person, role: string) =>
    rows.add('project_members', { projectId: id, memberId, role, createdAt, updatedAt: createdAt })
  join(creator, 'lead')
  join(lead, 'lead')
  for (const person of others) join(person, 'contributor')
  if (place === smallProject) join(people.onlooker, 'viewer')
  const boards = year.isOnSharedBoard
    ? []
    : kind.boards.map((board) => {
        const own = { name: `${key} ${board}`, projectId: id, stages: boardStages[board] }
        return addBoard(seeding, own, day(from - 3) + 16.5 * 3_600_000)
      })
  const until = isOver ? ends - 5 : workdays - 1
  const team = [lead, ...others, creator]
  return { id, name, key, kind, nextName, weight, from, until, ends, lead, team, boards, lastNumber: 0 }
}

// a kind has several hundred names; more tasks than that repeat some
const mostTries = 8

/** Makes up names for tasks of a kind of project, each a new one as long as that is easy. */
function taskNames({ patterns, words }: ProjectKind, random: Random): () => TaskName {
  const all = disciplines.flatMap((discipline) =>
    (patterns[discipline] ?? []).map((pattern) => ({ discipline, parts: pattern.split(/[{}]/) })),
  )
  const choices = new Map(Object.entries(words).map(([hole, text]) => [hole, text.split(', ')]))
  const taken = new Set<string>()
  return () => {
    for (let tries = 1; ; tries++) {
      const { discipline, parts } = random.pick(all)
      const name = parts.map((part, index) => (index % 2 === 0 ? part : random.pick(choices.get(part) ?? []))).join('')
      if (taken.has(name) && tries < mostTries) continue
      taken.add(name)
      return { name, discipline }
    }
  }
}
