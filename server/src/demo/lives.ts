import { workdays } from './calendar.ts'
import type { Project } from './projects.ts'
import type { Random } from './random.ts'

/** What becomes of a task, decided when it is created. Days are working days. */
export interface Life {
  state: 'idea' | 'todo' | 'doing' | 'done'
  /** the first day on which somebody works on it; infinite: nobody plans to */
  starts: number
  /** the day on which it is completed; infinite: it goes on and on */
  ends: number
}

const lengths = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 13, 20] as const

/** @param standing a task that lasts as long as its project: planning, calls, minutes */
export function lifeOf(random: Random, project: Project, created: number, standing: boolean): Life {
  const { ends: lastDay } = project
  const over = lastDay < workdays
  if (standing) return { state: over ? 'done' : 'doing', starts: created + 1, ends: lastDay }
  if (!over && random.chance(0.03)) return { state: 'idea', starts: Number.POSITIVE_INFINITY, ends: lastDay }
  if (!over && random.chance(0.04)) return { state: 'todo', starts: Number.POSITIVE_INFINITY, ends: lastDay }
  const waits = Math.floor(random.fraction() ** 3 * 25)
  const starts = Math.min(created + 1 + waits, lastDay - 1)
  const ends = Math.min(starts + random.pick(lengths), lastDay)
  return { state: ends < workdays ? 'done' : starts < workdays ? 'doing' : 'todo', starts, ends }
}
