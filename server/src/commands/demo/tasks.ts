import { positionGap } from '../../resources/board/order.ts'
import { priorities, Task } from '../../resources/task.ts'
import { dateOf, momentOf, workdays } from './calendar.ts'
import type { Labels } from './labels.ts'
import type { DemoPerson } from './people.ts'
import type { SeededProject } from './projects.ts'
import { at, type Random } from './random.ts'
import type { Plan, SeededTask } from './seeded-task.ts'
import { momentOn, type SeedContext } from './seeding.ts'
import { addComments, addSteps } from './steps.ts'
import { disciplineWords } from './words/disciplines.ts'
import { descriptionDetails, descriptionReasons, generalTags } from './words/organization.ts'

/** Adds a task to a project. On the first task of each project, the team records calls and planning. */
export function addTask(
  seeding: SeedContext,
  labels: Labels,
  project: SeededProject,
  created: number,
  createdMs: number,
) {
  const { random, mint, rows } = seeding
  const isStanding = project.lastNumber === 0
  const { name, discipline } = isStanding ? ongoing : project.nextName()
  const plan = planOf(random, project, created, isStanding)
  const { state, starts, ends } = plan
  const id = mint(createdMs)
  const number = ++project.lastNumber
  const assignees = isStanding ? [project.lead] : assigneesOf(random, project, plan)
  const completedMs = state === 'done' ? momentOn(seeding, ends) : null
  const task: SeededTask = {
    ...plan,
    id,
    project,
    discipline,
    createdMs,
    completedMs,
    assignees,
    isStanding,
    steps: [],
  }
  const begun = starts < workdays ? [momentOn(seeding, starts)] : []
  const moments = [createdMs, ...begun, ...(completedMs === null ? [] : [completedMs])]
  const tagIds = tagsOf(random, task).flatMap((tag) => labels.tags.get(tag) ?? [])
  const row = {
    id,
    projectId: project.id,
    number,
    key: `${project.key}-${number}`,
    name,
    typeId: labels.types.get(discipline) ?? null,
    description: random.chance(0.5) ? `${random.pick(descriptionReasons)} ${random.pick(descriptionDetails)}` : null,
    priority: at(priorities, random.place(prioritySums)),
    ...datesOf(seeding, task),
    ...placeOf(random, task),
    assigneeIds: assignees.map((person) => person.id).toSorted(),
    tagIds: tagIds.toSorted(),
    createdBy: random.pick(project.team).id,
    version: moments.length,
    createdAt: momentOf(createdMs),
    updatedAt: momentOf(at(moments, moments.length - 1)),
  }
  rows.add('tasks', row)
  for (const { id: memberId } of assignees) rows.add('task_assignees', { taskId: id, memberId })
  for (const tagId of tagIds) rows.add('task_tags', { taskId: id, tagId })
  tellTask(seeding, task, row, moments)
  addComments(seeding, task)
  if (!isStanding && Number.isFinite(starts) && random.chance(0.3)) task.steps = addSteps(seeding, task)
  return task
}

const ongoing = { name: 'Project management and status calls', discipline: 'coordination' } as const

const prioritySums = [30, 48, 82, 97, 100] as const
const hours = [1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 24] as const
const lengths = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 13, 20] as const

function planOf(random: Random, { ends: lastDay }: SeededProject, created: number, isStanding: boolean): Plan {
  if (isStanding) return { state: stateOf(created + 1, lastDay), starts: created + 1, ends: lastDay }
  const never = Number.POSITIVE_INFINITY
  if (lastDay === never && random.chance(0.07))
    return { state: random.chance(0.4) ? 'idea' : 'todo', starts: never, ends: never }
  const waits = Math.floor(random.fraction() ** 3 * 25)
  const starts = Math.min(created + 1 + waits, lastDay - 1)
  const ends = Math.min(starts + random.pick(lengths), lastDay)
  return { state: stateOf(starts, ends), starts, ends }
}

const stateOf = (starts: number, ends: number) => (ends < workdays ? 'done' : starts < workdays ? 'doing' : 'todo')

function assigneesOf(random: Random, { team }: SeededProject, { state, starts }: Plan): DemoPerson[] {
  if (state === 'idea' || (starts >= workdays && random.chance(0.5))) return []
  return [...new Set([random.pick(team), ...(random.chance(0.15) ? [random.pick(team)] : [])])]
}

function datesOf({ random, day }: SeedContext, { starts, ends, isStanding }: SeededTask) {
  const isPlanned = !isStanding && Number.isFinite(starts)
  // most tasks are completed in time
  const due = ends + random.between(-1, 5)
  return {
    startDate: isPlanned && random.chance(0.4) ? dateOf(day(starts)) : null,
    dueDate: isPlanned && random.chance(0.6) ? dateOf(day(Math.max(due, starts))) : null,
    estimateSeconds: !isStanding && random.chance(0.65) ? random.pick(hours) * 3_600 : null,
  }
}

/** The board, stage and completion of a task. Ideas are on no board. */
function placeOf(random: Random, { project: { boards }, discipline, completedMs, state }: SeededTask) {
  if (state === 'idea') return { workspaceId: null, stageId: null, position: null, completedAt: null }
  const isVisual = discipline === 'design' || discipline === 'research'
  const board = at(boards, isVisual ? boards.length - 1 : 0)
  const stage = random.pick(board.stages.filter(({ category }) => category === state))
  const completedAt = completedMs === null ? null : momentOf(completedMs)
  return { workspaceId: board.id, stageId: stage.id, position: ++stage.taskCount * positionGap, completedAt }
}

function tagsOf(random: Random, { discipline, project, isStanding }: SeededTask): string[] {
  if (isStanding || random.chance(0.35)) return []
  const fitting = [...disciplineWords[discipline].tags, ...project.kind.tags, random.pick(generalTags)]
  return [...new Set(random.shuffled(fitting).slice(0, random.chance(0.7) ? 1 : 2))]
}

/** Adds the events of a task up to its state: created, begun, completed. @param row the final state of the task */
function tellTask(
  { events }: SeedContext,
  { project, assignees }: SeededTask,
  row: Task,
  moments: readonly number[],
): void {
  const stages = project.boards.find(({ id }) => id === row.workspaceId)?.stages ?? []
  const firstOf = (wanted: string) => stages.find(({ category }) => category === wanted)?.id ?? null
  const { id: actor } = assignees[0] ?? project.lead
  let before: Task | undefined
  for (const [index, ms] of moments.entries()) {
    const place = {
      stageId: firstOf(index === 0 ? 'todo' : 'doing'),
      position: row.number * positionGap,
      completedAt: null,
    }
    const then = index === moments.length - 1 ? row : { ...row, ...place, version: index + 1, updatedAt: momentOf(ms) }
    if (before) events.tell({ type: 'task.moved', by: actor, schema: Task, row: then, before })
    else events.tell({ type: 'task.created', by: row.createdBy, schema: Task, row: then })
    before = then
  }
}
