import { setImmediate as breath } from 'node:timers/promises'
import { type CopyTransaction, inCopyTransaction } from '../../db/copy/copy-transaction.ts'
import { setIndexesAside } from '../../db/copy/indexes.ts'
import { checkReferences, postponeReferences } from '../../db/copy/references.ts'
import { normalizeText } from '../../db/normalize-text.ts'
import type { Database } from '../../db/pool/database.ts'
import { calendarBefore, momentOf, workdays } from './calendar.ts'
import { eventsFrom } from './events.ts'
import { addKey, demoKeyHolders, type Holder, type Key } from './keys.ts'
import { addLabels } from './labels.ts'
import { addPeople } from './people.ts'
import type { ProgressTeller } from './progress.ts'
import { addProjects, mostProjects, type SeededProject } from './projects.ts'
import { at, randomFrom, sumsOf } from './random.ts'
import { rowsOf, tables } from './rows.ts'
import { mintFrom, momentOn, type SeedContext } from './seeding.ts'
import { addTask } from './tasks.ts'
import { type Desk, recordDay, startTimers } from './time.ts'
import { agencies } from './words/organization.ts'

export interface WantedYear {
  /** the same number gives the same organization, with dates relative to `nowMs` */
  seed: number
  tasks: number
  /** the members who get an API key */
  keysFor: readonly Holder['as'][]
  nowMs?: number
}

export interface SeedResult extends Scale {
  orgId: string
  name: string
  keys: Key[]
}

/** The number of rows of each kind. */
interface Scale {
  tasks: number
  entries: number
  members: number
  projects: number
}

export const mostTasks = 1_000_000

/** The scale of an organization with this many tasks. Up to 2,000 tasks, it has 12 members and 8 projects; above, it has more. */
export function scaleOf(tasks: number): Scale {
  const entries = Math.min(10 * tasks, 2_000_000)
  return {
    tasks,
    entries,
    // one person records about 1,667 time entries in a year
    members: Math.min(800, Math.max(12, Math.round(entries / 1_667))),
    projects: Math.min(mostProjects, Math.max(8, Math.round(8 * (tasks / 2_000) ** 0.6))),
  }
}

// from this number on, building the indexes at the end is faster
const manyTasks = 20_000
const mostTimers = 3
// a log of millions of events would take longer than all other rows
const mostEvents = 20_000
const keptMs = 30 * 86_400_000

/**
 * Creates an organization with a year of realistic work in one transaction, so nobody sees a part of it. Its event log covers
 * only the last days, as if the server had purged older events.
 */
export async function seed(db: Database, wanted: WantedYear, progress: ProgressTeller): Promise<SeedResult> {
  const { nowMs = Date.now() } = wanted
  const scale = scaleOf(wanted.tasks)
  const random = randomFrom(wanted.seed)
  const mint = mintFrom(random, randomFrom(tailOf(wanted.seed, nowMs)))
  const day = calendarBefore(nowMs)
  const foundedMs = day(-21) + 10 * 3_600_000
  const orgId = mint(foundedMs)
  const eventsADay = (3 * scale.tasks + 2 * scale.entries) / workdays
  const loggedDays = Math.max(1, Math.floor(mostEvents / eventsADay))
  const events = eventsFrom(Math.max(nowMs - keptMs, day(workdays - loggedDays)))
  const rows = rowsOf(orgId)
  const seeding: SeedContext = { random, mint, day, nowMs, rows, events }

  return inCopyTransaction(db, async (tx) => {
    const postponed = await postponeReferences(tx)
    const buildIndexes = scale.tasks < manyTasks ? undefined : await setIndexesAside(tx, tables)
    const name = random.pick(agencies)
    const founded = { createdAt: momentOf(foundedMs), updatedAt: momentOf(foundedMs) }
    rows.add('organizations', { name, timezone: 'Europe/London', ...founded })
    const people = addPeople(seeding, scale.members, `${normalizeText(name).replace(/[^a-z]+/g, '-')}.example`)
    const labels = addLabels(seeding)
    const projects = addProjects(seeding, people, scale.projects)
    const keys = demoKeyHolders(people, projects)
      .filter(({ as }) => wanted.keysFor.includes(as))
      .map((holder): Key => ({ ...holder, secret: addKey(seeding, orgId, holder.person.id, 'First key').secret }))

    // generate the year day by day, so that only open tasks stay in memory
    const desks = new Map(
      [...people.leaders, ...people.staff].map((person): [unknown, Desk] => [person, { person, tasks: [] }]),
    )
    const everybody = [...desks.values()]
    const timers = Math.min(mostTimers, Math.floor(scale.entries / 10))
    const made = { tasks: 0, entries: 0 }
    for (let workday = 0; workday < workdays; workday++) {
      const unrecorded = soFar(scale.entries - timers, workday) - made.entries
      made.entries += recordDay(seeding, labels, everybody, workday, unrecorded)
      const open = projects.filter(({ from, until }) => from <= workday && workday <= until)
      const fresh = open.filter(({ lastNumber }) => lastNumber === 0)
      const sums = sumsOf(open.map(({ weight }) => weight))
      for (const createdMs of momentsOf(seeding, workday, soFar(scale.tasks, workday) - made.tasks)) {
        const project = fresh.shift() ?? at(open, random.place(sums))
        const task = addTask(seeding, labels, project, workday, createdMs)
        const workers = task.isStanding ? project.team : task.assignees
        if (Number.isFinite(task.starts)) for (const person of workers) desks.get(person)?.tasks.push(task)
        made.tasks++
      }
      await breath()
      if (rows.isFull) await rows.send(tx)
      progress.tell(made)
    }
    startTimers(seeding, labels, everybody, scale.entries - made.entries)
    events.addTo(rows)
    await rows.send(tx)
    progress.end()
    await buildIndexes?.()
    await countTasks(tx, orgId, projects)
    await tx.query(`analyze ${tables.join(', ')}`)
    if (postponed) await checkReferences(tx, orgId, tables)
    return { orgId, name, keys, ...scale }
  })
}

/** A seed for the values that differ between runs. */
const tailOf = (seed: number, nowMs: number) => seed ^ (nowMs % 2 ** 32) ^ Math.floor(nowMs / 2 ** 32)

/** The part of `total` that exists at the end of a day: at least one on the first day, all on the last. */
const soFar = (total: number, workday: number) => Math.ceil((total * (workday + 1)) / workdays)

/** Times within the working hours of a day, ascending, in ms. */
const momentsOf = (seeding: SeedContext, workday: number, count: number): number[] =>
  Array.from({ length: count }, () => momentOn(seeding, workday)).sort((one, other) => one - other)

const countTasks = (tx: CopyTransaction, orgId: string, projects: readonly SeededProject[]) =>
  tx.query(
    `update projects set last_task_number = made.number from unnest($2::uuid[], $3::integer[]) as made (id, number)
     where projects.org_id = $1 and projects.id = made.id`,
    [orgId, projects.map(({ id }) => id), projects.map(({ lastNumber }) => lastNumber)],
  )
