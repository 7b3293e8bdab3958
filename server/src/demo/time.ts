import { TimeEntry } from '../resources/time-entry.ts'
import { momentOf, workdays } from './calendar.ts'
import { shown } from './events.ts'
import type { Ground } from './ground.ts'
import { spansOf, type WorkSpan } from './hours.ts'
import type { Labels } from './labels.ts'
import type { Person } from './people.ts'
import { at, type Random } from './random.ts'
import type { Task } from './task.ts'
import { type Discipline, speech } from './words/disciplines.ts'
import { timeTags } from './words/organization.ts'

/** The time that people record: each day on what is open for them, never two things at once. */
interface Timesheets {
  /** A task that somebody will work on. */
  plan(task: Task): void
  /** Records about `wanted` entries on a working day, all of them on the last. @returns how many at a time */
  record(workday: number, wanted: number): Iterable<number>
  /** Starts timers that still run, of so many people at most. @returns how many it were */
  startTimers(wanted: number): number
}

interface Desk {
  person: Person
  /** tasks assigned to them */
  own: Task[]
  /** the standing tasks of their projects */
  standing: Task[]
}

const mostOnADay = 14

// a few milliseconds of work
const entriesAtOnce = 250

export function timesheetsOf(ground: Ground, labels: Labels, people: readonly Person[]): Timesheets {
  const { random, nowMs } = ground
  const desks = new Map(people.map((person): [Person, Desk] => [person, { person, own: [], standing: [] }]))
  const planned = new Map<number, Task[]>()

  const open = (task: Task) => {
    for (const person of task.standing ? new Set(task.project.team) : task.assignees) {
      const desk = desks.get(person)
      if (desk) (task.standing ? desk.standing : desk.own).push(task)
    }
  }
  const updateDesks = (workday: number) => {
    for (const task of planned.get(workday) ?? []) open(task)
    planned.delete(workday)
    const stays = ({ life }: Task) => life.ends > workday
    for (const desk of desks.values()) {
      desk.own = desk.own.filter(stays)
      desk.standing = desk.standing.filter(stays)
    }
  }
  const busy = () =>
    random.shuffled([...desks.values()].filter(({ own, standing }) => own.length + standing.length > 0))
  const next = ({ own, standing }: Desk) =>
    own.length > 0 && (standing.length === 0 || random.chance(0.85)) ? random.pick(own) : random.pick(standing)

  return {
    plan(task) {
      const { starts } = task.life
      if (starts >= workdays) return
      const tasks = planned.get(starts)
      if (tasks) tasks.push(task)
      else planned.set(starts, [task])
    },
    *record(workday, wanted) {
      updateDesks(workday)
      const isLast = workday === workdays - 1
      const present = isLast ? busy() : busy().filter(() => random.chance(0.94))
      let left = wanted
      let recorded = 0
      for (const [index, desk] of present.entries()) {
        const others = present.length - index - 1
        const share = Math.round(left / (others + 1)) + (others > 0 && left > others ? random.between(-1, 1) : 0)
        const count = Math.max(0, Math.min(left, isLast ? share : Math.min(share, mostOnADay)))
        for (const span of spansOf(random, count)) {
          addEntry(ground, labels, next(desk), desk.person, workday, span)
        }
        left -= count
        recorded += count
        if (recorded >= entriesAtOnce || others === 0) {
          yield recorded
          recorded = 0
        }
      }
    },
    startTimers(wanted) {
      updateDesks(workdays)
      const runners = busy().slice(0, wanted)
      for (const desk of runners) {
        addEntry(ground, labels, next(desk), desk.person, workdays, nowMs - random.between(120_000, 5_400_000))
      }
      return runners.length
    },
  }
}

/** @param when a span of the working day, or the moment (ms) at which a timer was started that still runs */
function addEntry(
  ground: Ground,
  labels: Labels,
  task: Task,
  person: Person,
  workday: number,
  when: WorkSpan | number,
): void {
  const { random, mint, day, rows, events, nowMs } = ground
  const { discipline, project } = task
  const runs = typeof when === 'number'
  const startedMs = runs ? when : day(workday) + when.from
  const endedMs = runs ? null : day(workday) + when.to
  const timed = runs || when.timed
  const createdMs = timed ? startedMs : Math.min((endedMs ?? startedMs) + random.between(0, 1_500_000), nowMs)
  const id = mint(createdMs)
  const step = random.chance(0.6) ? task.steps.find(({ finalOn }) => finalOn > workday) : undefined
  const createdAt = momentOf(createdMs)
  const endedAt = endedMs === null ? null : momentOf(endedMs)
  const tagIds = timeTagsOf(random, discipline).map(labels.tag)
  const row = {
    id,
    projectId: project.id,
    taskId: step ? null : task.id,
    subtaskId: step ? step.id : null,
    memberId: person.id,
    startedAt: momentOf(startedMs),
    endedAt,
    description: random.chance(0.55) ? random.pick(speech[discipline].notes) : null,
    billable: random.chance(discipline === 'coordination' ? 0.6 : 0.92),
    tagIds,
    version: timed && !runs ? 2 : 1,
    createdAt,
    updatedAt: timed ? (endedAt ?? createdAt) : createdAt,
  }
  rows.add('time_entries', row)
  for (const tagId of tagIds) rows.add('time_entry_tags', { timeEntryId: id, tagId })
  const durationSeconds = endedMs === null ? null : Math.floor((endedMs - startedMs) / 1_000)
  if (events.keeps(row.updatedAt)) tellEntry(ground, { ...row, durationSeconds })
  else events.skip(row.version)
}

function tellEntry({ events }: Ground, row: TimeEntry): void {
  const item = shown(TimeEntry, row)
  const { memberId: by, createdAt } = item
  const first = { ...item, version: 1, updatedAt: createdAt }
  const created = item.version === 1 ? first : { ...first, endedAt: null, durationSeconds: null }
  events.tell({ type: 'time_entry.created', by, item: created })
  if (item.version > 1) events.tell({ type: 'time_entry.updated', by, item, before: created })
}

function timeTagsOf(random: Random, discipline: Discipline): string[] {
  if (discipline === 'coordination') return random.chance(0.4) ? [at(timeTags, 0)] : []
  return random.chance(0.1) ? [random.pick(timeTags)] : []
}
