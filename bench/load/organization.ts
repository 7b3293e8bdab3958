import {
  addBoard,
  at,
  type Mint,
  mintFrom,
  momentOf,
  type Random,
  type Rows,
  randomFrom,
  rowsOf,
} from '../../server/src/for-tools.ts'

/** An organization while it is filled. Its number decides all of it but the ends of its ids. */
export interface Organization {
  orgId: string
  rows: Rows
  random: Random
  mint: Mint
  foundedMs: number
  nowMs: number
  ownerId: string
  memberIds: string[]
  tagIds: string[]
  typeIds: string[]
  projects: Project[]
}

export interface Project {
  id: string
  key: string
  workspaceId: string
  stageIds: string[]
  /** who works in it */
  team: string[]
  lastNumber: number
  /** whether nobody sees it who sees only some of the projects */
  isHidden: boolean
}

interface Wanted {
  number: number
  members: number
  projects: number
  tags: number
  nowMs: number
}

const yearMs = 365 * 86_400_000

/** Makes an organization of two years with its people, labels, projects and boards. */
export function newOrganization({ number, members, projects, tags, nowMs }: Wanted): Organization {
  const random = randomFrom(number)
  const mint = mintFrom(random, randomFrom(~number ^ nowMs))
  const foundedMs = nowMs - 2 * yearMs
  const orgId = mint(foundedMs)
  const rows = rowsOf(orgId)
  const times = { createdAt: momentOf(foundedMs), updatedAt: momentOf(foundedMs) }
  rows.add('organizations', { name: `Organization ${number}`, timezone: 'UTC', ...times })
  rows.add('event_counters', {})
  const made = { orgId, rows, random, mint, foundedMs, nowMs }
  const memberIds = named(members, (place, name) => {
    const id = mint(foundedMs)
    const own = { name, nameKey: name.toLowerCase(), email: `member.${place}@example.com` }
    rows.add('members', { id, ...own, role: place === 0 ? 'owner' : 'member', ...times })
    return id
  })
  const tagIds = named(tags, (_, name) => {
    const id = mint(foundedMs)
    rows.add('tags', { id, name, nameKey: name.toLowerCase(), color: '#1f6feb', ...times })
    return id
  })
  const typeIds = named(5, (_, name) => {
    const id = mint(foundedMs)
    rows.add('task_types', { id, name, nameKey: name.toLowerCase(), color: null, icon: null, ...times })
    return id
  })
  const ownerId = at(memberIds, 0)
  const organization = { ...made, ownerId, memberIds, tagIds, typeIds, projects: [] }
  return { ...organization, projects: named(projects, (place) => addProject(organization, place)) }
}

/** Lets somebody take part in a project. */
export function join({ rows, foundedMs }: Organization, project: Project, memberId: string, role: string): void {
  const moment = momentOf(foundedMs)
  rows.add('project_members', { projectId: project.id, memberId, role, createdAt: moment, updatedAt: moment })
}

const teamSize = 6
// the owner, and whoever only looks at projects
const onlookers = 5

function addProject(organization: Organization, place: number): Project {
  const { rows, random, mint, foundedMs, memberIds } = organization
  const times = { createdAt: momentOf(foundedMs + place), updatedAt: momentOf(foundedMs + place) }
  const name = `Project ${place}`
  const common = { name, nameKey: name.toLowerCase(), description: null, ...times }
  const id = mint(foundedMs + place)
  const key = `P${place}`.padEnd(2, '0')
  const dates = { startDate: null, dueDate: null }
  rows.add('projects', { id, ...common, key, color: null, status: 'active', ...dates, version: 1 })
  const board = addBoard(organization, { name, projectId: id, stages }, foundedMs + place)
  const team = random.shuffled(memberIds.slice(onlookers)).slice(0, teamSize)
  const stageIds = board.stages.map((stage) => stage.id)
  const project = { id, key, workspaceId: board.id, stageIds, team, lastNumber: 0, isHidden: false }
  team.forEach((memberId, index) => {
    join(organization, project, memberId, index === 0 ? 'lead' : 'contributor')
  })
  return project
}

const stages = [
  ['To do', 'todo'],
  ['Doing', 'doing'],
  ['In review', 'doing'],
  ['Done', 'done'],
] as const

const named = <Made>(count: number, make: (place: number, name: string) => Made): Made[] =>
  Array.from({ length: count }, (_, place) => make(place, `Name ${String(place).padStart(5, '0')}`))
