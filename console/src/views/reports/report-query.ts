import type { ReportsTasksQuery, ReportsTimeQuery } from '@taskwright/client'
import { dayAfter, dayIn, isDay, momentIn } from '../../parts/zone.ts'
import { query } from '../../router/router.ts'
import { me } from '../../session/session.ts'
import { type Days, daysOf, type Preset, presets } from './period.ts'

const timeGroups = ['project', 'member', 'task', 'type', 'tag', 'billable', 'day', 'week', 'month'] as const

const taskGroups = [
  'project',
  'workspace',
  'stage',
  'stageCategory',
  'assignee',
  'type',
  'tag',
  'priority',
  'createdBy',
  'createdDay',
  'createdWeek',
  'createdMonth',
  'completedDay',
  'completedWeek',
  'completedMonth',
  'dueDay',
  'dueWeek',
  'dueMonth',
] as const

export type Kind = 'time' | 'tasks'
export type Group = (typeof timeGroups)[number] | (typeof taskGroups)[number]

/** The report that the address selects. */
export interface ReportQuery {
  kind: Kind
  by: readonly Group[]
  /** undefined for a custom period */
  preset: Preset | undefined
  days: Days
  /** for reports on tasks: the date that must be in the period */
  of: 'created' | 'due'
}

export const mostGroupings = 3

export const groupsOf = (kind: Kind): readonly Group[] => (kind === 'time' ? timeGroups : taskGroups)

/** Reads the address; missing parameters get common defaults. */
export function asked(): ReportQuery {
  const { timezone, weekStart } = me().organization
  const kind = query('tab') === 'tasks' ? 'tasks' : 'time'
  const all = groupsOf(kind)
  const by = [...new Set(query('by').split(','))].filter((name): name is Group => all.includes(name as Group))
  const [from, to] = [query('from'), query('to')].map((day) => (isDay(day) ? day : undefined))
  const isOwn = query('period') === 'custom'
  const named = presets.find((preset) => preset === query('period')) ?? (kind === 'time' ? 'this-month' : 'all')
  return {
    kind,
    by: by.length > 0 ? by.slice(0, mostGroupings) : ['project'],
    preset: isOwn ? undefined : named,
    days: isOwn ? { from, until: to && dayAfter(to, 1) } : daysOf(named, dayIn(timezone, new Date()), weekStart),
    of: query('of') === 'due' ? 'due' : 'created',
  }
}

/** The ids of a filter in the address. */
export const idsOf = (word: string): string[] =>
  query(word)
    .split(',')
    .filter((id) => id !== '')

/** The query of the time report. */
export function timeQuery({ by, days }: ReportQuery): ReportsTimeQuery {
  const { timezone } = me().organization
  const at = (day: string | undefined) => day && momentIn(timezone, day, 0).toISOString()
  const billable = query('billable')
  return {
    groupBy: by as ReportsTimeQuery['groupBy'],
    startedAfter: at(days.from),
    startedBefore: at(days.until),
    projectId: some(idsOf('project')),
    memberId: some(idsOf('member')),
    anyTagId: some(idsOf('tag')),
    billable: billable === '' ? undefined : billable === 'true',
  }
}

/** The query of the task report. */
export function tasksQuery({ by, days, of }: ReportQuery): ReportsTasksQuery {
  const { timezone } = me().organization
  const at = (day: string | undefined) => day && momentIn(timezone, day, 0).toISOString()
  const completed = query('completed')
  return {
    groupBy: by as ReportsTasksQuery['groupBy'],
    ...(of === 'due'
      ? { dueAfter: days.from, dueBefore: days.until }
      : { createdAfter: at(days.from), createdBefore: at(days.until) }),
    projectId: some(idsOf('project')),
    assigneeId: some(idsOf('member')),
    anyTagId: some(idsOf('tag')),
    completed: completed === '' ? undefined : completed === 'true',
  }
}

const some = (ids: readonly string[]) => (ids.length > 0 ? ids : undefined)
