import { setImmediate as breath } from 'node:timers/promises'
import type pg from 'pg'
import {
  addKey,
  inCopyTransactionOn,
  postponeReferences,
  progressOn,
  setIndexesAside,
  tables,
} from '../../server/src/for-tools.ts'
import { join, newOrganization } from '../load/organization.ts'
import { addTasks } from '../load/tasks.ts'

/** An organization of ten people, each with a key. */
export interface Tenant {
  orgId: string
  /** the owner's first */
  keys: string[]
  /** some of its tasks */
  taskIds: string[]
}

const people = 10
const mostKnown = 20

/** Most are small: one in ten has 120 tasks, the others 20. */
const tasksOf = (number: number) => (number % 10 === 0 ? 120 : 20)

/** Fills a migrated, empty database with so many organizations, in one transaction. */
export async function makeTenants(connection: pg.ClientConfig, count: number): Promise<Tenant[]> {
  const tasks = Array.from({ length: count }, (_, n) => tasksOf(n + 1)).reduce((sum, some) => sum + some, 0)
  const progress = progressOn(process.stderr, { tasks, entries: 2 * tasks })
  const nowMs = Date.now()
  return inCopyTransactionOn(connection, async (onto) => {
    await postponeReferences(onto)
    const buildIndexes = await setIndexesAside(onto, tables)
    const tenants: Tenant[] = []
    let made = 0
    for (let number = 1; number <= count; number++) {
      const organization = newOrganization({ number, members: people, projects: 3, tags: 8, nowMs })
      const { orgId, rows, memberIds } = organization
      for (const project of organization.projects)
        for (const memberId of memberIds.slice(1).filter((id) => !project.team.includes(id)))
          join(organization, project, memberId, 'contributor')
      const keys = memberIds.map((memberId) => addKey(organization, orgId, memberId, 'Bench').secret)
      const taskIds: string[] = []
      for (const { id } of addTasks(organization, tasksOf(number))) if (taskIds.length < mostKnown) taskIds.push(id)
      made += tasksOf(number)
      tenants.push({ orgId, keys, taskIds })
      await rows.send(onto)
      progress.tell({ tasks: made, entries: 2 * made })
      if (number % 10 === 0) await breath()
    }
    progress.end()
    await buildIndexes()
    await onto.query(`
      update projects set last_task_number = counted.most
      from (select org_id, project_id, max(number) as most from tasks group by org_id, project_id) counted
      where projects.org_id = counted.org_id and projects.id = counted.project_id`)
    // as keys that the server makes
    await onto.query('update api_keys set made_until = expires_at')
    return tenants
  })
}

/** What each organization has for the jobs of the server: what was deleted long ago, old events, expired answers. */
export const somethingForJobs = [
  `update tasks set deleted_at = now() - interval '40 days'
   where (org_id, id) in (select org_id, (array_agg(id order by id))[1] from tasks group by org_id)`,
  `insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
   select org_id, sequence, 'tag.created', 'long-ago', org_id, '{}', '{}', now() - interval '40 days'
   from event_counters cross join generate_series(-19, 0) sequence`,
  `insert into idempotency_keys (org_id, member_id, key, fingerprint, created_at, expires_at)
   select org_id, org_id, 'long ago ' || number, '', now() - interval '4 days', now() - interval '1 day'
   from organizations cross join generate_series(1, 5) number`,
]
