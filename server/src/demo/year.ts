import { workdays } from './calendar.ts'
import type { Ground } from './ground.ts'
import type { Labels } from './labels.ts'
import type { Person } from './people.ts'
import type { Project } from './projects.ts'
import { at, sumsOf } from './random.ts'
import type { Scale } from './scale.ts'
import { timesheetsOf } from './time.ts'
import { addTask } from './work.ts'

/** What was made so far. */
export interface Made {
  tasks: number
  entries: number
}

const timersAtMost = 3

// a few milliseconds of work
const tasksAtOnce = 50

/**
 * Lives through a year of an agency, day by day: tasks are created, worked on and done. Only what is open is remembered,
 * so that a year of any size fits into memory; whoever iterates sends the rows on their way meanwhile.
 */
export function* yearOf(
  ground: Ground,
  { labels, people, projects, scale }: { labels: Labels; people: Person[]; projects: Project[]; scale: Scale },
): Generator<Made> {
  const timesheets = timesheetsOf(ground, labels, people)
  const timers = Math.min(timersAtMost, Math.floor(scale.entries / 10))
  const made: Made = { tasks: 0, entries: 0 }
  for (let workday = 0; workday < workdays; workday++) {
    const wanted = soFar(scale.entries - timers, workday) - made.entries
    for (const recorded of timesheets.record(workday, wanted)) {
      made.entries += recorded
      yield made
    }
    const open = projects.filter(({ from, until }) => from <= workday && workday <= until)
    const fresh = open.filter(({ lastNumber }) => lastNumber === 0)
    const sums = sumsOf(open.map(({ weight }) => weight))
    for (const createdMs of momentsOf(ground, workday, soFar(scale.tasks, workday) - made.tasks)) {
      const project = fresh.shift() ?? at(open, ground.random.place(sums))
      timesheets.plan(addTask(ground, labels, project, workday, createdMs))
      if (++made.tasks % tasksAtOnce === 0) yield made
    }
  }
  made.entries += timesheets.startTimers(scale.entries - made.entries)
  yield made
}

/** How many of `total` there are when a day ends: the first one on the first day, all on the last. */
const soFar = (total: number, workday: number) => Math.ceil((total * (workday + 1)) / workdays)

/** Different moments within the working hours of a day, ascending. */
function momentsOf({ random, day }: Ground, workday: number, count: number): number[] {
  const moments = Array.from({ length: count }, () => random.between(8.5 * 3_600_000, 17.5 * 3_600_000))
  moments.sort((a, b) => a - b)
  let last = 0
  return moments.map((moment) => {
    last = Math.max(moment, last + 1)
    return day(workday) + last
  })
}
