import { positionGap } from '../resources/board/order.ts'
import { priorities } from '../resources/task.ts'
import { dateOf, momentOf, workdays } from './calendar.ts'
import { addComments } from './comments.ts'
import type { Labels } from './labels.ts'
import type { Person } from './people.ts'
import type { Project } from './projects.ts'
import { at, type Random } from './random.ts'
import { momentOn, type Seeding } from './seeding.ts'
import { addSteps } from './steps.ts'
import type { Plan, Task } from './task.ts'
import { tellTask } from './task-events.ts'
import { type Discipline, speech } from './words/disciplines.ts'
import { details, generalTags, reasons } from './words/organization.ts'

/** Adds a task to a project. The first of each project is the one that its team records calls and planning on. */
export function addTask(seeding: Seeding, labels: Labels, project: Project, created: number, createdMs: number): Task {
  const { random, mint, rows } = seeding
  const standing = project.lastNumber === 0
  const { name, discipline } = standing ? ongoing : project.nextName()
  const plan = planOf(random, project, created, standing)
  const id = mint(createdMs)
  const number = ++project.lastNumber
  const assignees = standing ? [project.lead] : assigneesOf(random, project, plan)
  const completedMs = plan.state === 'done' ? momentOn(seeding, plan.ends) : null
  const task: Task = { ...plan, id, project, discipline, createdMs, completedMs, assignees, standing, steps: [] }
  const tagIds = tagsOf(random, task).map((tag) => labels.tag(tag))
  const moments = momentsOf(seeding, task)
  const row = {
    id,
    projectId: project.id,
    number,
    key: `${project.key}-${number}`,
    name,
    typeId: labels.types[discipline],
    description: random.chance(0.5) ? descriptionOf(random, discipline) : null,
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
  if (!standing && plan.state !== 'idea' && random.chance(0.3)) task.steps = addSteps(seeding, task)
  return task
}

const ongoing = { name: 'Project management and status calls', discipline: 'coordination' } as const

const prioritySums = [30, 48, 82, 97, 100] as const
const hours = [1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 24] as const
const lengths = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 13, 20] as const

function planOf(random: Random, { ends: lastDay }: Project, created: number, standing: boolean): Plan {
  const over = lastDay < workdays
  if (standing) return { state: over ? 'done' : 'doing', starts: created + 1, ends: lastDay }
  if (!over && random.chance(0.07))
    return { state: random.chance(0.4) ? 'idea' : 'todo', starts: Number.POSITIVE_INFINITY, ends: lastDay }
  const waits = Math.floor(random.fraction() ** 3 * 25)
  const starts = Math.min(created + 1 + waits, lastDay - 1)
  const ends = Math.min(starts + random.pick(lengths), lastDay)
  return { state: ends < workdays ? 'done' : starts < workdays ? 'doing' : 'todo', starts, ends }
}

function assigneesOf(random: Random, { team }: Project, { state, starts }: Plan): Person[] {
  if (state === 'idea' || (starts >= workdays && random.chance(0.5))) return []
  return [...new Set([random.pick(team), ...(random.chance(0.15) ? [random.pick(team)] : [])])]
}

/** When a task was created, begun, edited and completed, as far as it got, in ms, ascending. */
function momentsOf(seeding: Seeding, { state, starts, ends, createdMs, completedMs }: Task): number[] {
  if (state === 'idea' || state === 'todo') return [createdMs]
  const lastDay = Math.max(starts, Math.min(ends, workdays - 1))
  const changes = [momentOn(seeding, starts), momentOn(seeding, seeding.random.between(starts, lastDay))]
    .map((ms) => Math.min(ms, completedMs ?? seeding.nowMs))
    .sort((one, other) => one - other)
  return completedMs === null ? [createdMs, ...changes] : [createdMs, ...changes, completedMs]
}

/** In Markdown. */
function descriptionOf(random: Random, discipline: Discipline): string {
  const opening = random.chance(0.6) ? `${random.pick(reasons)} ${random.pick(details)}` : random.pick(reasons)
  if (random.chance(0.4)) return opening
  const [first, second] = random.shuffled(speech[discipline].aims)
  return `${opening}\n\nDone when it\n\n- ${first}\n- ${second}`
}

function datesOf({ random, day }: Seeding, { starts, ends, standing }: Task) {
  const planned = !standing && Number.isFinite(starts)
  // most are done in time
  const due = ends + (random.chance(0.25) ? -random.between(0, 3) : random.between(0, 5))
  return {
    startDate: planned && random.chance(0.4) ? dateOf(day(starts)) : null,
    dueDate: planned && random.chance(0.6) ? dateOf(day(Math.max(due, starts))) : null,
    estimateSeconds: !standing && random.chance(0.65) ? random.pick(hours) * 3_600 : null,
  }
}

/** Where a task stands, and when it was completed. Ideas stand on no board. */
function placeOf(random: Random, { project: { boards }, discipline, completedMs, state }: Task) {
  if (state === 'idea') return { workspaceId: null, stageId: null, position: null, completedAt: null }
  const isVisual = discipline === 'design' || discipline === 'research'
  const board = at(boards, isVisual ? boards.length - 1 : 0)
  const stage = random.pick(board.stages.filter(({ category }) => category === state))
  const completedAt = completedMs === null ? null : momentOf(completedMs)
  return { workspaceId: board.id, stageId: stage.id, position: ++stage.taskCount * positionGap, completedAt }
}

function tagsOf(random: Random, { discipline, project, standing }: Task): string[] {
  if (standing || random.chance(0.35)) return []
  const fitting = [...speech[discipline].tags, ...project.kind.tags, random.pick(generalTags)]
  return [...new Set(random.shuffled(fitting).slice(0, random.chance(0.7) ? 1 : 2))]
}
