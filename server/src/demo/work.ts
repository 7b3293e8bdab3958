import { positionGap } from '../resources/board/order.ts'
import { priorities } from '../resources/task.ts'
import type { Stage } from './boards.ts'
import { dateOf, momentOf, workdays } from './calendar.ts'
import { addComments } from './comments.ts'
import { type Ground, momentOn } from './ground.ts'
import type { Labels } from './labels.ts'
import { type Life, lifeOf } from './lives.ts'
import type { Person } from './people.ts'
import type { Project } from './projects.ts'
import { at } from './random.ts'
import { addSteps } from './steps.ts'
import type { Task } from './task.ts'
import { tellTask } from './task-story.ts'
import { taskText } from './task-texts.ts'
import { speech } from './words/disciplines.ts'
import { generalTags } from './words/organization.ts'

/** Adds a task to a project. The first of each project is the one that its team records calls and planning on. */
export function addTask(ground: Ground, labels: Labels, project: Project, created: number, createdMs: number): Task {
  const { random, mint, rows } = ground
  const standing = project.lastNumber === 0
  const { name, discipline } = standing ? ongoing : project.names()
  const life = lifeOf(random, project, created, standing)
  const id = mint(createdMs)
  const number = ++project.lastNumber
  const assignees = standing ? [project.lead] : assigneesOf(ground, project, life)
  const completedMs = life.state === 'done' ? momentOn(ground, life.ends) : null
  const task: Task = { id, project, discipline, life, createdMs, completedMs, assignees, standing, steps: [] }
  const labelled = tagsOf(ground, task).map((tag) => labels.tag(tag))
  const description = random.chance(0.5) ? taskText(random, discipline) : null
  const row = {
    id,
    projectId: project.id,
    number,
    key: `${project.key}-${number}`,
    name,
    typeId: labels.types[discipline],
    description,
    priority: at(priorities, random.place(prioritySums)),
    ...datesOf(ground, task),
    ...placeOf(ground, task),
    assigneeIds: assignees.map((person) => person.id).toSorted(),
    tagIds: labelled.toSorted(),
    createdBy: random.pick(project.team).id,
    ...historyOf(ground, task),
  }
  rows.add('tasks', row)
  for (const { id: memberId } of assignees) rows.add('task_assignees', { taskId: id, memberId })
  for (const tagId of labelled) rows.add('task_tags', { taskId: id, tagId })
  tellTask(ground, task, row)
  addComments(ground, task)
  if (!standing && life.state !== 'idea' && random.chance(0.3)) task.steps = addSteps(ground, task)
  return task
}

const ongoing = { name: 'Project management and status calls', discipline: 'coordination' } as const

const prioritySums = [30, 48, 82, 97, 100] as const

const hours = [1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 24] as const

function assigneesOf({ random }: Ground, { team }: Project, { state, starts }: Life): Person[] {
  if (state === 'idea' || (starts >= workdays && random.chance(0.5))) return []
  const first = random.pick(team)
  if (random.chance(0.85)) return [first]
  const second = random.pick(team)
  return second === first ? [first] : [first, second]
}

function datesOf({ random, day }: Ground, { life: { starts, ends }, standing }: Task) {
  const planned = !standing && Number.isFinite(starts)
  // most are done in time
  const due = ends + (random.chance(0.25) ? -random.between(0, 3) : random.between(0, 5))
  return {
    startDate: planned && random.chance(0.4) ? dateOf(day(starts)) : null,
    dueDate: planned && random.chance(0.6) ? dateOf(day(Math.max(due, starts))) : null,
    estimateSeconds: !standing && random.chance(0.65) ? random.pick(hours) * 3_600 : null,
  }
}

/** Where a task stands, and when it got done. Ideas stand on no board. */
function placeOf({ random }: Ground, { project: { boards }, discipline, completedMs, life: { state } }: Task) {
  if (state === 'idea') return { workspaceId: null, stageId: null, position: null, completedAt: null }
  const visual = discipline === 'design' || discipline === 'research'
  const board = at(boards, visual ? boards.length - 1 : 0)
  const stage: Stage = random.pick(board.stages.filter(({ category }) => category === state))
  const completedAt = completedMs === null ? null : momentOf(completedMs)
  return { workspaceId: board.id, stageId: stage.id, position: ++stage.held * positionGap, completedAt }
}

/** How often a task was changed, and when last. */
function historyOf(ground: Ground, { createdMs, completedMs, life: { state, starts } }: Task) {
  const createdAt = momentOf(createdMs)
  if (state === 'idea' || state === 'todo') return { version: 1, createdAt, updatedAt: createdAt }
  const lastMs = completedMs ?? momentOn(ground, ground.random.between(starts, Math.max(starts, workdays - 1)))
  return { version: ground.random.between(2, 6), createdAt, updatedAt: momentOf(Math.min(lastMs, ground.nowMs)) }
}

function tagsOf({ random }: Ground, { discipline, project, standing }: Task): string[] {
  if (standing || random.chance(0.35)) return []
  const fitting = [...speech[discipline].tags, ...project.kind.tags, random.pick(generalTags)]
  return [...new Set(random.shuffled(fitting).slice(0, random.chance(0.7) ? 1 : 2))]
}
