import { normalizeText } from '../db/normalize-text.ts'
import { numberedKey, startOfKey } from '../resources/projects/rules.ts'
import { addBoard, type Board } from './boards.ts'
import { dateOf, momentOf, workdays } from './calendar.ts'
import type { Ground } from './ground.ts'
import { type Names, namesOf } from './names.ts'
import type { People, Person } from './people.ts'
import { at } from './random.ts'
import type { ProjectKind } from './words/kind.ts'
import { kinds } from './words/kinds.ts'
import { boardPatterns, clients } from './words/organization.ts'

/** A project while its year is made. */
export interface Project {
  id: string
  name: string
  key: string
  kind: ProjectKind
  names: Names
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

const [delivery, development, design] = boardPatterns

// the years of eight projects: most run throughout, one is over and archived, two began later; the last one is small
const years = [
  { weight: 1.3, from: 0 },
  { weight: 1.6, from: 0 },
  { weight: 1.4, from: 0 },
  { weight: 1, from: 0, shared: true },
  { weight: 1.1, from: 0, ends: 150 },
  { weight: 1.2, from: 60 },
  { weight: 1.2, from: 140, shared: true },
  { weight: 0.22, from: 0, shared: true },
] as const

/** Adds all projects, with their members and boards, and the boards of the whole organization. */
export function addProjects(ground: Ground, people: People, count: number): Project[] {
  const { random, day } = ground
  const customers = random.shuffled(clients)
  const walks = kinds.map((kind) => ({ kind, names: namesOf(kind, random) }))
  const someday = { name: 'Someday', projectId: null, description: 'Not planned yet.', stages: [] }
  addBoard(ground, someday, day(-18) + 39_600_000)
  const taken = new Set<string>()
  let shared: Board | undefined
  return Array.from({ length: count }, (_, place) => {
    const round = Math.floor(place / years.length)
    if (place % years.length === 0) {
      const name = round === 0 ? 'Studio board' : `Studio board ${round + 1}`
      shared = addBoard(ground, { name, projectId: null, stages: delivery.stages }, day(-18) + 40_000_000)
    }
    // 30 clients and 8 kinds meet in 120 ways, and in 120 others once the kinds are moved on by one
    const again = Math.floor(place / 240)
    const client = at(customers, place % customers.length)
    const { kind, names } = at(walks, (place + (Math.floor(place / 120) % 2)) % kinds.length)
    const name = `${client}: ${kind.name}${again === 0 ? '' : ` ${again + 1}`}`
    const project = addProject(ground, people, { place, name, kind, names, count, taken })
    const { shared: sharesBoard } = yearOf(place)
    project.boards = sharesBoard && shared ? [shared] : ownBoards(ground, project, kind)
    return project
  })
}

const yearOf = (place: number): { weight: number; from: number; ends?: number; shared?: boolean } =>
  at(years, place % years.length)

interface Wanted {
  place: number
  name: string
  kind: ProjectKind
  names: Names
  /** of all projects */
  count: number
  taken: Set<string>
}

function addProject(ground: Ground, people: People, { place, name, kind, names, count, taken }: Wanted): Project {
  const { random, mint, day, rows } = ground
  const { weight, from, ends = Number.POSITIVE_INFINITY } = yearOf(place)
  let [key, number] = [startOfKey(name), 1]
  while (taken.has(key)) key = numberedKey(startOfKey(name), ++number)
  taken.add(key)
  const createdMs = day(from - 3) + random.between(9 * 3_600_000, 16 * 3_600_000)
  const id = mint(createdMs)
  const over = ends < workdays
  const [createdAt, updatedAt] = [createdMs, over ? day(ends + 1) + 40_000_000 : createdMs].map(momentOf)
  rows.add('projects', {
    ...{
      id,
      name,
      nameKey: normalizeText(name),
      key,
      description: kind.description,
      color: kind.color,
      status: over ? 'archived' : 'active',
    },
    startDate: dateOf(day(from)),
    dueDate: weight < 1 ? null : dateOf(day(over ? ends : workdays + random.between(10, 90))),
    ...{ version: over ? 2 : 1, createdAt: createdAt ?? null, updatedAt: updatedAt ?? null },
  })
  const creator = at(people.leaders, place % people.leaders.length)
  const lead = at(people.staff, place % people.staff.length)
  const size = Math.max(4, Math.round((people.staff.length * 4) / count))
  const others = random.shuffled(people.staff.filter((person) => person !== lead)).slice(0, size - 1)
  const join = ({ id: memberId }: Person, role: string) =>
    rows.add('project_members', {
      ...{ projectId: id, memberId, role, createdAt: createdAt ?? null, updatedAt: createdAt ?? null },
    })
  join(creator, 'lead')
  join(lead, 'lead')
  for (const person of others) join(person, 'contributor')
  if (place === smallProject) join(people.onlooker, 'viewer')
  const until = over ? ends - 5 : workdays - 1
  const team = [lead, ...others, creator]
  return { ...{ id, name, key, kind, names, weight, from, until, ends, lead, team, boards: [] }, lastNumber: 0 }
}

/** The place of the one project that the onlooker sees. */
export const smallProject = 7

/** Where the tasks of a project stand: apps are designed on one board and built on another. */
function ownBoards(ground: Ground, project: Project, { name }: ProjectKind): Board[] {
  const patterns = name === 'Mobile app' ? [development, design] : name === 'Brand identity' ? [design] : [delivery]
  return patterns.map((pattern) => {
    const wanted = { name: `${project.key} ${pattern.name}`, projectId: project.id, stages: pattern.stages }
    return addBoard(ground, wanted, ground.day(project.from - 3) + 16.5 * 3_600_000)
  })
}
