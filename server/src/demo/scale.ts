/** How many of each there are. */
export interface Scale {
  tasks: number
  entries: number
  members: number
  projects: number
}

export const mostTasks = 1_000_000
const mostEntries = 2_000_000

/** An organization that has so many tasks: 12 members and 8 projects up to 2,000 of them, more above. */
export function scaleOf(tasks: number): Scale {
  const entries = Math.min(10 * tasks, mostEntries)
  return {
    tasks,
    entries,
    // what one person records in a year
    members: Math.max(12, Math.round(entries / 1_667)),
    projects: Math.max(8, Math.round(8 * (tasks / 2_000) ** 0.6)),
  }
}
