import { z } from 'zod'
import { everyone } from '../../../access/caller.ts'
import { words } from '../../../contract/fields.ts'
import { parametersOf } from '../../../lists/filters.ts'
import { route } from '../../../operations/route.ts'
import { toCsv } from '../../reports/csv.ts'
import { groupsOf, reportOf } from '../../reports/groups.ts'
import { countedFilters } from '../filters.ts'
import { type Dimension, dimensions } from './dimensions.ts'
import { type Sums, summed } from './sums.ts'

const count = z.int().min(0).max(2_147_483_647)
const seconds = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

const fields = {
  open: count.meta({ description: 'Tasks that are not completed.' }),
  completed: count,
  overdue: count.meta({ description: 'Open tasks that were due before today, in the time zone of the organization.' }),
  estimatedSeconds: seconds.meta({ description: 'Of all tasks that have an estimate.' }),
  trackedSeconds: seconds.meta({ description: 'Time on the tasks and their subtasks; what runs counts so far.' }),
  medianDaysToCompletion: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .meta({
      description:
        'From creation to completion, of those that are completed: days of 24 hours, to the thousandth. Null without any.',
      examples: [2.375],
    }),
}

const names = Object.keys(dimensions) as [Dimension, ...Dimension[]]

/** Tasks, counted by group. */
const TaskReport = reportOf(names, fields, {
  id: 'TaskReport',
  description: 'Tasks, counted by group, and their time.',
  group: { stageCategory: { id: 'doing', name: 'doing' } },
  totals: 'Each task once, also when it is in several groups by tag or assignee.',
})
type TaskReport = z.output<typeof TaskReport>

const groupBy = words(names, 3).meta({ examples: ['project,stageCategory'] })

export const taskReports = [
  route('GET /reports/tasks', {
    name: 'reports.tasks',
    summary: 'Count tasks by up to three groupings, as JSON or (Accept: text/csv) CSV',
    description: 'Days, weeks and months are those of the time zone of the organization.',
    roles: everyone,
    query: z.strictObject({ groupBy, ...parametersOf(countedFilters) }),
    returns: TaskReport,
    csv: (report: TaskReport) => toCsv(report, Object.keys(fields)),
    async handle({ db, caller, query, now }) {
      const rows = await summed(db, caller, query, now)
      return {
        groupBy: query.groupBy,
        data: groupsOf(rows, query.groupBy, shown),
        totals: shown(rows[0]?.total ?? nothing),
      }
    },
  }),
]

const nothing: Sums = { open: 0, completed: 0, overdue: 0, estimatedSeconds: 0, trackedSeconds: 0, medianDays: null }

const shown = ({ open, completed, overdue, estimatedSeconds, trackedSeconds, medianDays }: Sums) => ({
  ...{ open, completed, overdue, estimatedSeconds, trackedSeconds },
  medianDaysToCompletion: medianDays === null ? null : Math.round(medianDays * 1_000) / 1_000,
})
