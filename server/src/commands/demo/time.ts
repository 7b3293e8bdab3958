import { TimeEntry } from '../../resources/time-entry.ts'
import { momentOf, workdays } from './calendar.ts'
import type { Labels } from './labels.ts'
import type { DemoPerson } from './people.ts'
import { at, type Random } from './random.ts'
import type { SeededTask } from './seeded-task.ts'
import type { SeedContext } from './seeding.ts'
import { disciplineWords } from './words/disciplines.ts'
import { timeTags } from './words/organization.ts'

/** A member who records time, with their current tasks. */
export interface Desk {
  person: DemoPerson
  tasks: SeededTask[]
}

/** Records time on a working day. Members record on their own tasks, one at a time. @returns the number of entries */
export function recordDay(
  seeding: SeedContext,
  labels: Labels,
  desks: readonly Desk[],
  workday: number,
  wanted: number,
) {
  const { random, day } = seeding
  // at least one person is present; others can be ill or on leave
  const present = busyOn(random, desks, workday).filter((_, place) => place === 0 || random.chance(0.94))
  let left = wanted
  for (const [place, { person, tasks }] of present.entries()) {
    const count = Math.ceil(left / (present.length - place))
    left -= count
    for (const { from, to } of spansOf(random, count)) {
      const span = { startedMs: day(workday) + from, endedMs: day(workday) + to }
      addEntry(seeding, labels, { task: nextTask(random, tasks), person, workday, ...span })
    }
  }
  for (const desk of desks) desk.tasks = desk.tasks.filter(({ ends }) => ends > workday)
  return wanted - left
}

/** Starts timers that still run. @param wanted the limit of members with a timer */
export function startTimers(seeding: SeedContext, labels: Labels, desks: readonly Desk[], wanted: number): void {
  const { random, nowMs } = seeding
  for (const { person, tasks } of busyOn(random, desks, workdays).slice(0, wanted)) {
    const span = { startedMs: nowMs - random.between(120_000, 5_400_000), endedMs: null }
    addEntry(seeding, labels, { task: nextTask(random, tasks), person, workday: workdays, ...span })
  }
}

/** The members who have tasks on a day, in random order, with those tasks. */
const busyOn = (random: Random, desks: readonly Desk[], workday: number): Desk[] =>
  random.shuffled(
    desks
      .map(({ person, tasks }) => ({
        person,
        tasks: tasks.filter(({ starts, ends }) => starts <= workday && workday < ends),
      }))
      .filter(({ tasks }) => tasks.length > 0),
  )

function nextTask(random: Random, tasks: readonly SeededTask[]): SeededTask {
  const own = tasks.filter(({ isStanding }) => !isStanding)
  return random.pick(own.length > 0 && random.chance(0.85) ? own : tasks)
}

const minuteMs = 60_000

/** The working times of a person, in ms since midnight: at most eight hours, with a break at noon. */
function spansOf(random: Random, count: number): { from: number; to: number }[] {
  const slot = Math.min(85, 460 / count)
  const begin = random.between(500, 570)
  return Array.from({ length: count }, (_, place) => {
    const minutes = begin + place * slot
    const from = minutes + (minutes > 720 ? 45 : 0) + random.fraction()
    const to = from + slot * (0.6 + 0.35 * random.fraction())
    return { from: Math.round(from * minuteMs), to: Math.round(to * minuteMs) }
  })
}

interface WorkPlan {
  task: SeededTask
  person: DemoPerson
  workday: number
  startedMs: number
  /** null while the timer runs */
  endedMs: number | null
}

function addEntry(seeding: SeedContext, labels: Labels, { task, person, workday, startedMs, endedMs }: WorkPlan): void {
  const { random, mint, rows, events } = seeding
  const { discipline, project } = task
  const step = random.chance(0.6) ? task.steps.find(({ finalOn }) => finalOn > workday) : undefined
  const startedAt = momentOf(startedMs)
  const endedAt = endedMs === null ? null : momentOf(endedMs)
  const isMeeting = discipline === 'coordination'
  const tag = isMeeting ? at(timeTags, 0) : random.pick(timeTags)
  const tagIds = random.chance(isMeeting ? 0.4 : 0.1) ? [labels.tags.get(tag) ?? ''] : []
  const row = {
    id: mint(startedMs),
    projectId: project.id,
    taskId: step ? null : task.id,
    subtaskId: step ? step.id : null,
    memberId: person.id,
    startedAt,
    endedAt,
    description: random.chance(0.55) ? random.pick(disciplineWords[discipline].notes) : null,
    billable: random.chance(isMeeting ? 0.6 : 0.92),
    tagIds,
    // starting and stopping a timer are two versions
    version: endedAt === null ? 1 : 2,
    createdAt: startedAt,
    updatedAt: endedAt ?? startedAt,
  }
  rows.add('time_entries', row)
  for (const tagId of tagIds) rows.add('time_entry_tags', { timeEntryId: row.id, tagId })
  const started = { ...row, endedAt: null, durationSeconds: null, version: 1, updatedAt: startedAt }
  events.tell({ type: 'time_entry.created', by: person.id, schema: TimeEntry, row: started })
  if (endedMs === null) return
  const stopped = { ...row, durationSeconds: Math.floor((endedMs - startedMs) / 1_000) }
  events.tell<TimeEntry>({
    type: 'time_entry.updated',
    by: person.id,
    schema: TimeEntry,
    row: stopped,
    before: started,
  })
}
