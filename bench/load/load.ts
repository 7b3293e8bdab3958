import { setImmediate as breath } from 'node:timers/promises'
import type pg from 'pg'
import {
  addKey,
  at,
  type CopyTransaction,
  inCopyTransactionOn,
  momentOf,
  type ProgressTeller,
  postponeReferences,
  progressOn,
  setIndexesAside,
  tables,
} from '../../server/src/for-tools.ts'
import type { Caller, Data, Filters, View } from './data.ts'
import { join, newOrganization, type Organization } from './organization.ts'
import { bigProjects, entriesOf, ordinaryTasks, type Shape, tasksOf } from './shape.ts'
import { addTasks, tagPlaces } from './tasks.ts'

/** Fills a migrated, empty database, in one transaction. The same moment makes the same data. */
export async function load(connection: pg.ClientConfig, shape: Shape, form: string, nowMs: number): Promise<Data> {
  const progress = progressOn(process.stderr, { tasks: tasksOf(shape), entries: entriesOf(shape) })
  return inCopyTransactionOn(connection, async (onto) => {
    await postponeReferences(onto)
    const buildIndexes = await setIndexesAside(onto, tables)
    const filling = { onto, progress, made: 0 }
    const big = newOrganization({ number: 1, members: 200, projects: bigProjects, tags: 40, nowMs })
    const callers = bigCallers(big)
    const bigIds = await fill(filling, big, shape.bigTasks)
    const others = []
    for (let number = 2; number < 2 + shape.others; number++) {
      const tags = number === 4 ? shape.tags : 20
      const other = newOrganization({ number, members: 12, projects: 10, tags, nowMs })
      const owner = keyFor(other, other.ownerId)
      others.push({ orgId: other.orgId, owner, taskIds: await fill(filling, other, tasksAt(number, shape)) })
    }
    progress.end()
    process.stderr.write('Building indexes …\n')
    await buildIndexes()
    await countTasks(onto)
    const [ordinary, writing, tagged] = [at(others, 0), at(others, 1), at(others, 2)]
    const filters = filtersOf(big)
    const bigOne = { orgId: big.orgId, tasks: shape.bigTasks, callers, taskIds: bigIds, filters }
    return { form, tasks: tasksOf(shape), big: bigOne, ordinary, writing, tagged }
  })
}

const tasksAt = (number: number, shape: Shape) => (number === 2 ? ordinaryTasks : shape.othersTasks)

interface Filling {
  onto: CopyTransaction
  progress: ProgressTeller
  /** tasks so far */
  made: number
}

/** Fills an organization with tasks. @returns the ids of some of them */
async function fill(filling: Filling, organization: Organization, count: number): Promise<string[]> {
  const { rows } = organization
  const every = Math.max(1, Math.floor(count / 1_000))
  const taskIds: string[] = []
  let number = 0
  for (const { id } of addTasks(organization, count)) {
    if (number++ % every === 0) taskIds.push(id)
    filling.made++
    if (rows.isFull) await send(filling, organization)
  }
  await send(filling, organization)
  return taskIds
}

async function send(filling: Filling, { rows }: Organization): Promise<void> {
  await rows.send(filling.onto)
  filling.progress.tell({ tasks: filling.made, entries: filling.made * 2 })
  await breath()
}

/** The owner, and members who are in all projects, in 200, in 20 of middle size, in the small old one. */
function bigCallers(big: Organization): Record<View, Caller> {
  const { projects, memberIds } = big
  const [all, twoHundred, twenty, one] = [at(memberIds, 1), at(memberIds, 4), at(memberIds, 2), at(memberIds, 3)]
  const seen = {
    all: projects,
    twoHundred: projects.filter((_, place) => place % 2 === sharedPlace % 2),
    twenty: projects.slice(40, 60),
    one: projects.slice(-1),
  }
  const seenBySome = new Set([...seen.twoHundred, ...seen.twenty, ...seen.one])
  for (const project of projects) project.isHidden = !seenBySome.has(project)
  return {
    owner: keyFor(big, big.ownerId),
    all: viewer(big, all, seen.all),
    twoHundred: viewer(big, twoHundred, seen.twoHundred),
    twenty: viewer(big, twenty, seen.twenty),
    one: viewer(big, one, seen.one),
  }
}

function viewer(big: Organization, memberId: string, projects: Organization['projects']): Caller {
  for (const project of projects) join(big, project, memberId, 'viewer')
  return keyFor(big, memberId)
}

function keyFor(organization: Organization, memberId: string): Caller {
  const { orgId } = organization
  const { keyId, secret } = addKey(organization, orgId, memberId, 'Bench')
  return { orgId, memberId, keyId, key: secret }
}

// among the 20, and among the 200
const sharedPlace = 41

function filtersOf({ projects, tagIds, typeIds, ownerId, foundedMs, nowMs }: Organization): Filters {
  const [project, shared] = [at(projects, 5), at(projects, sharedPlace)]
  return {
    ...{ projectId: project.id, workspaceId: project.workspaceId },
    ...{ stageId: at(project.stageIds, 1), assigneeId: at(project.team, 0) },
    commonTagId: at(tagIds, tagPlaces.common),
    secondTagId: at(tagIds, tagPlaces.second),
    rareTagId: at(tagIds, tagPlaces.rare),
    ...{ typeId: at(typeIds, 0), creatorId: ownerId, middle: momentOf((foundedMs + nowMs) / 2) },
    shared: {
      ...{ projectId: shared.id, workspaceId: shared.workspaceId },
      ...{ stageId: at(shared.stageIds, 1), assigneeId: at(shared.team, 0) },
    },
  }
}

const countTasks = (onto: CopyTransaction) =>
  onto.query(
    `update projects set last_task_number = counted.most
     from (select org_id, project_id, max(number) as most from tasks group by org_id, project_id) counted
     where projects.org_id = counted.org_id and projects.id = counted.project_id`,
  )
