import { at, dateOf, momentOf, positionGap, sumsOf } from '../../server/src/for-tools.ts'
import type { Organization, Project } from './organization.ts'
import { oldTasks } from './shape.ts'
import { taskDescription, taskName, wordsOf } from './words.ts'

/** A task that was made, and when. */
interface Made {
  id: string
  createdMs: number
}

const hourMs = 3_600_000
const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

/**
 * Adds the tasks of an organization from its founding until now, the oldest first, with two time entries each on
 * average. The first projects have the most; the last one is small and old, where there are many.
 */
export function* addTasks(organization: Organization, count: number): Generator<Made> {
  const { projects, random, foundedMs, nowMs } = organization
  const old = projects.length > 100 ? projects.at(-1) : undefined
  const others = old ? projects.slice(0, -1) : projects
  const sums = sumsOf(others.map((_, place) => 1 / (place + 10)))
  for (let number = 0; number < count; number++) {
    const createdMs = Math.floor(foundedMs + ((nowMs - foundedMs) * number) / count)
    const project = old && number % 2 === 0 && number < oldTasks * 2 ? old : at(others, random.place(sums))
    yield addTask(organization, project, createdMs, number % rareEvery === oldTasks * 20)
  }
}

function addTask(organization: Organization, project: Project, createdMs: number, isRare: boolean): Made {
  const { rows, random, mint, nowMs, typeIds, ownerId } = organization
  const id = mint(createdMs)
  const number = ++project.lastNumber
  const stage = random.between(0, project.stageIds.length)
  const completedMs = stage === 3 ? Math.min(createdMs + random.between(1, 500) * hourMs, nowMs) : null
  const onBoard = stage < project.stageIds.length
  const description = taskDescription(random)
  const name = taskName(random, project.isHidden)
  const assigneeIds = random.shuffled(project.team).slice(0, random.pick([0, 1, 1, 1, 1, 1, 2]))
  const tagIds = tagsOf(organization, isRare)
  rows.add('tasks', {
    id,
    projectId: project.id,
    workspaceId: onBoard ? project.workspaceId : null,
    stageId: onBoard ? at(project.stageIds, stage) : null,
    position: onBoard ? number * positionGap : null,
    number,
    key: `${project.key}-${number}`,
    name,
    description,
    typeId: random.chance(0.5) ? random.pick(typeIds) : null,
    priority: random.pick(priorities),
    startDate: null,
    dueDate: random.chance(0.5) ? dateOf(createdMs + random.between(1, 60) * 24 * hourMs) : null,
    estimateSeconds: random.chance(0.4) ? random.between(1, 40) * 1_800 : null,
    completedAt: completedMs === null ? null : momentOf(completedMs),
    createdBy: ownerId,
    assigneeIds: assigneeIds.toSorted(),
    tagIds: tagIds.toSorted(),
    version: random.between(1, 5),
    createdAt: momentOf(createdMs),
    updatedAt: momentOf(completedMs ?? createdMs),
  })
  for (const memberId of assigneeIds) rows.add('task_assignees', { taskId: id, memberId })
  for (const tagId of tagIds) rows.add('task_tags', { taskId: id, tagId })
  for (let left = random.between(0, 4); left > 0; left--) {
    addEntry(organization, project, id, createdMs, assigneeIds[0] ?? random.pick(project.team))
  }
  return { id, createdMs }
}

// the share of tasks that bear the first tags: two common ones, one that is less so, a rare one, and some more
const tagShares = [0.2, 0.2, 0.01, 0, 0.1, 0.05] as const
const rareEvery = 20_000

/** The places of tags, by how often tasks bear them. */
export const tagPlaces = { common: 0, second: 2, rare: 3 } as const

const tagsOf = ({ random, tagIds }: Organization, isRare: boolean): string[] =>
  tagShares.flatMap((share, place) => {
    const bears = random.chance(share) || (place === tagPlaces.rare && isRare)
    return bears ? [at(tagIds, place)] : []
  })

function addEntry(
  { rows, random, mint, nowMs }: Organization,
  project: Project,
  taskId: string,
  createdMs: number,
  memberId: string,
) {
  const startedMs = Math.min(createdMs + random.between(1, 700) * hourMs, nowMs - 4 * hourMs)
  const endedMs = startedMs + random.between(1, 12) * (hourMs / 4)
  const moment = momentOf(endedMs)
  rows.add('time_entries', {
    id: mint(endedMs),
    ...{ projectId: project.id, taskId, subtaskId: null, memberId },
    ...{ startedAt: momentOf(startedMs), endedAt: moment, billable: random.chance(0.6), tagIds: [], version: 1 },
    description: random.chance(0.5) ? wordsOf(random, random.between(2, 8)) : null,
    ...{ createdAt: moment, updatedAt: moment },
  })
}
