import { TimeEntry } from '../resources/time-entry.ts'
import { momentOf, workdays } from './calendar.ts'
import { pickFields } from './events.ts'
import type { Labels } from './labels.ts'
import type { Person } from './people.ts'
import { at, type Random } from './random.ts'
import type { Seeding } from './seeding.ts'
import type { Task } from './task.ts'
import { type Discipline, speech } from './words/disciplines.ts'
import { timeTags } from './words/organization.ts'

/** The time that people record: each day on what is open for them, never two things at once. */
interface Timesheets {
  /** A task that somebody will work on. */
  plan(task: Task): void
  /** Records about `wanted` entries on a working day, all of them on the last. @returns how many it were */
  record(workday: number, wanted: number): number
  /** Starts timers that still run, of so many people at most. */
  startTimers(wanted: number): void
}

interface Desk {
  person: Person
  /** tasks assigned to them */
  own: Task[]
  /** the standing tasks of their projects */
  standing: Task[]
}

const mostOnADay = 14

export function timesheetsOf(seeding: Seeding, labels: Labels, people: readonly Person[]): Timesheets {
  const { random, nowMs } = seeding
  const desks = new Map(people.map((person): [Person, Desk] => [person, { person, own: [], standing: [] }]))
  let planned: Task[] = []

  /** Opens and closes tasks as of a day. @returns those who have something to do, in any order */
  function busyOn(workday: number): Desk[] {
    for (const task of planned.filter(({ starts }) => starts <= workday)) {
      for (const person of task.standing ? task.project.team : task.assignees) {
        const desk = desks.get(person)
        if (desk) (task.standing ? desk.standing : desk.own).push(task)
      }
    }
    planned = planned.filter(({ starts }) => starts > workday)
    const stays = ({ ends }: Task) => ends > workday
    for (const desk of desks.values()) {
      desk.own = desk.own.filter(stays)
      desk.standing = desk.standing.filter(stays)
    }
    return random.shuffled([...desks.values()].filter(({ own, standing }) => own.length + standing.length > 0))
  }

  const nextTask = ({ own, standing }: Desk): Task =>
    own.length > 0 && (standing.length === 0 || random.chance(0.85)) ? random.pick(own) : random.pick(standing)

  return {
    plan(task) {
      if (task.starts <= workdays) planned.push(task)
    },
    record(workday, wanted) {
      const isLast = workday === workdays - 1
      const present = busyOn(workday).filter(() => isLast || random.chance(0.94))
      let left = wanted
      for (const [index, desk] of present.entries()) {
        const others = present.length - index - 1
        const share = Math.round(left / (others + 1)) + (others > 0 && left > others ? random.between(-1, 1) : 0)
        const count = Math.max(0, Math.min(left, share, isLast ? left : mostOnADay))
        for (const span of spansOf(random, count)) {
          addEntry(seeding, labels, { task: nextTask(desk), person: desk.person, workday, span })
        }
        left -= count
      }
      return wanted - left
    },
    startTimers(wanted) {
      for (const desk of busyOn(workdays).slice(0, wanted)) {
        const startedMs = nowMs - random.between(120_000, 5_400_000)
        addEntry(seeding, labels, { task: nextTask(desk), person: desk.person, workday: workdays, startedMs })
      }
    },
  }
}

/** From when to when somebody worked, in ms since midnight. */
interface WorkSpan {
  from: number
  to: number
  /** whether a timer ran; otherwise it was noted down afterwards, to five minutes */
  timed: boolean
}

const minute = 60_000

/** The spans of a working day, one after the other: eight hours at most, with a break at noon. */
function spansOf(random: Random, count: number): WorkSpan[] {
  const weights = Array.from({ length: count }, () => 0.4 + 1.3 * random.fraction())
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const total = Math.min(count * random.between(40, 85), random.between(405, 470)) * minute
  let clock = random.between(500 * minute, 575 * minute)
  let rested = false
  return weights.map((weight) => {
    if (!rested && clock > 715 * minute) {
      clock += random.between(30 * minute, 55 * minute)
      rested = true
    }
    const timed = random.chance(0.7)
    const to = clock + Math.max((total * weight) / sum, 6 * minute)
    const span = timed ? { from: clock, to: Math.round(to), timed } : { from: whole(clock), to: whole(to), timed }
    clock = span.to + random.between(20_000, count > 8 ? 3 * minute : 9 * minute)
    return span
  })
}

/** The next five minutes. */
const whole = (ms: number) => Math.ceil(ms / (5 * minute)) * 5 * minute

interface Work {
  task: Task
  person: Person
  workday: number
  /** undefined while the timer runs */
  span?: WorkSpan
  /** when the timer that runs was started */
  startedMs?: number
}

function addEntry(seeding: Seeding, labels: Labels, { task, person, workday, span, startedMs: timerMs }: Work): void {
  const { random, mint, day, rows, events, nowMs } = seeding
  const { discipline, project } = task
  const startedMs = span ? day(workday) + span.from : (timerMs ?? nowMs)
  const endedMs = span ? day(workday) + span.to : null
  const isNoted = span?.timed === false
  const createdMs = isNoted ? Math.min((endedMs ?? nowMs) + random.between(0, 1_500_000), nowMs) : startedMs
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
    // a timer was started, then stopped
    version: span?.timed ? 2 : 1,
    createdAt,
    updatedAt: isNoted ? createdAt : (endedAt ?? createdAt),
  }
  rows.add('time_entries', row)
  for (const tagId of tagIds) rows.add('time_entry_tags', { timeEntryId: id, tagId })
  if (!events.keeps(row.updatedAt)) {
    events.skip(row.version)
    return
  }
  const durationSeconds = endedMs === null ? null : Math.floor((endedMs - startedMs) / 1_000)
  const item = pickFields(TimeEntry, { ...row, durationSeconds })
  const before = { ...item, version: 1, updatedAt: createdAt, endedAt: null, durationSeconds: null }
  const by = person.id
  events.tell({ type: 'time_entry.created', by, item: row.version === 1 ? item : before })
  if (row.version > 1) events.tell({ type: 'time_entry.updated', by, item, before })
}

function timeTagsOf(random: Random, discipline: Discipline): string[] {
  if (discipline === 'coordination') return random.chance(0.4) ? [at(timeTags, 0)] : []
  return random.chance(0.1) ? [random.pick(timeTags)] : []
}
