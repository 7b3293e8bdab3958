import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { newId, newKey } from '../../server/src/for-tools.ts'
import { query } from '../database.ts'
import { api, aTask, bulkOf, makeMany } from './making.ts'
import type { Attacker, Way } from './way.ts'

/** The ways that need so many rows as an organization may have after months. */
export const masses: Record<string, Way> = {
  'a project full of comments, purged': async (attacker) => {
    const { client, orgId, database, seconds } = attacker
    const { id: projectId } = await client.make(`${api}/projects`, { name: 'Purged' })
    const task = (n: number) => ({ method: 'POST', path: '/tasks', body: { projectId, name: `Task ${n}` } })
    const tasks = await makeMany(client, 100, task)
    // as many as are purged meanwhile, and more
    const each = Math.min(mostComments, Math.max(2_000, Math.ceil(seconds * 400)))
    await query(database, comments, [orgId, projectId, each])
    await query(database, 'vacuum analyze comments')
    await client.send('DELETE', `${api}/projects/${projectId}`)
    await query(database, 'update projects set deleted_at = $3 where org_id = $1 and id = $2', [
      ...[orgId, projectId, new Date(Date.now() - 32 * 86_400_000).toISOString()],
    ])
    await untilPurged(attacker, projectId, each * tasks.length)
    const act = async () => {
      await client.send('POST', `${api}/projects/${projectId}/restore`)
      await wait(100)
    }
    return { atOnce: 1, act }
  },
  'tags that many bear, deleted': async ({ client, orgId, database, seconds }) => {
    const { id } = await aTask(client)
    const aTag = () => ({ method: 'POST', path: '/tags', body: { name: randomUUID() } })
    const tags = await makeMany(client, Math.min(10, Math.ceil(seconds / 60)), aTag)
    const bearers = Array.from({ length: 60_000 }, () => newId())
    await query(database, copies, [orgId, id, bearers, tags.toSorted()])
    await query(
      database,
      'insert into task_tags select $1, id, tag from unnest($2::uuid[]) id, unnest($3::uuid[]) tag',
      [...[orgId, bearers, tags]],
    )
    await query(database, 'vacuum analyze tasks, task_tags')
    const act = async () => {
      const borne = tags.pop()
      if (borne !== undefined) return client.send('DELETE', `${api}/tags/${borne}`)
      // while these come off, others of their kind, which 300 bear
      const tag = await client.make(`${api}/tags`, { name: randomUUID() })
      for (let from = 0; from < 300; from += 100) {
        const path = (n: number) => `/tasks/${bearers[from + n]}`
        const edits = bulkOf(100, (n) => ({ method: 'PATCH', path: path(n), body: { tagIds: [tag.id] } }))
        await client.send('POST', `${api}/bulk`, edits)
      }
      return client.send('DELETE', `${api}/tags/${tag.id}`)
    }
    return { atOnce: 2, act }
  },
  'members of 20,000 projects, removed': async ({ client, orgId, database }) => {
    const projectIds = Array.from({ length: 20_000 }, () => newId())
    await query(database, projects, [orgId, projectIds, 'QZ'])
    const newMember = async (): Promise<string> => {
      const { id } = await client.make(`${api}/members`, { name: 'A member', email: `${randomUUID()}@example.com` })
      return id
    }
    const members = await Promise.all(Array.from({ length: 20 }, newMember))
    await query(database, memberships, [orgId, projectIds, members])
    await query(database, 'vacuum analyze projects, project_members')
    const act = async () => {
      const memberId = members.pop() ?? (await inSome(await newMember()))
      return client.send('DELETE', `${api}/members/${memberId}`)
    }
    const inSome = async (memberId: string) => {
      const path = (n: number) => `/projects/${projectIds[n]}/members`
      const joins = bulkOf(100, (n) => ({ method: 'POST', path: path(n), body: { memberId, role: 'viewer' } }))
      await client.send('POST', `${api}/bulk`, joins)
      return memberId
    }
    return { atOnce: 2, act }
  },
  'removals of members in bulk as dry runs': async ({ client, orgId, database }) => {
    const [projectIds, members] = [250, 100].map((count) => Array.from({ length: count }, () => newId()))
    // all ways together are of one organization
    await query(database, projects, [orgId, projectIds, 'QX'])
    await query(database, manyMembers, [orgId, members])
    await query(database, memberships, [orgId, projectIds, members])
    await query(database, 'vacuum analyze projects, members, project_members')
    const removals = bulkOf(100, (n) => ({ method: 'DELETE', path: `/members/${members?.[n]}` }))
    return { atOnce: 4, act: () => client.send('POST', `${api}/bulk?dryRun=true`, removals) }
  },
  'keys that are made to be many': async ({ client, orgId, database }) => {
    // a member may have 100 that are alive; how many members there are nobody says
    const members = Array.from({ length: 110 }, () => newId())
    const keys = members.flatMap((memberId) => Array.from({ length: 100 }, () => ({ memberId, ...newKey(orgId) })))
    await query(database, manyMembers, [orgId, members])
    await query(database, manyKeys, [
      ...[orgId, keys.map(() => newId()), keys.map(({ memberId }) => memberId)],
      ...[keys.map(({ prefix }) => prefix), keys.map(({ hash }) => hash)],
    ])
    await query(database, 'vacuum analyze members, api_keys')
    let turn = 0
    const use = (secret = keys[turn % keys.length]?.secret) =>
      client.send('GET', `${api}/me`, undefined, { authorization: `Bearer ${secret}` })
    const act = async () => {
      if (++turn % 50 > 0) return use()
      // whose keys are minted or revoked, of him all are looked up again
      const { id, secret } = await client.make(`${api}/api-keys`, { name: 'One of many' })
      await use(secret)
      return client.send('DELETE', `${api}/api-keys/${id}`)
    }
    return { atOnce: 64, act }
  },
}

// what a task may hold
const mostComments = 10_000

const comments = `
  insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at)
  select org_id, gen_random_uuid(), id, project_id, created_by, 'Soon gone', created_at, created_at
  from tasks, generate_series(1, $3::int) where org_id = $1 and project_id = $2`

const copies = `
  insert into tasks (org_id, id, project_id, number, key, name, tag_ids, created_by, created_at, updated_at)
  select org_id, copy, project_id, 1000 + n, split_part(key, '-', 1) || '-' || 1000 + n, 'One of many', $4::uuid[],
    created_by, created_at, updated_at
  from tasks, unnest($3::uuid[]) with ordinality copies (copy, n) where org_id = $1 and id = $2`

const projects = `
  insert into projects (org_id, id, name, name_key, key, created_at, updated_at)
  select $1, id, 'One of many', 'one of many', $3 || n, now(), now()
  from unnest($2::uuid[]) with ordinality many (id, n)`

const memberships = `
  insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
  select $1, project, member, 'contributor', now(), now() from unnest($2::uuid[]) project, unnest($3::uuid[]) member`

const manyMembers = `
  insert into members (org_id, id, name, name_key, email, role, created_at, updated_at)
  select $1, id, 'One of many', 'one of many', id || '@example.com', 'member', now(), now() from unnest($2::uuid[]) id`

const manyKeys = `
  insert into api_keys (org_id, id, member_id, name, prefix, secret_hash, scopes, created_at, updated_at)
  select $1, id, member_id, 'One of many', prefix, secret_hash, '{read,write}', now(), now()
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::bytea[]) keys (id, member_id, prefix, secret_hash)`

/** Returns once the job has come to it, which looks every minute. */
async function untilPurged({ orgId, database }: Attacker, projectId: string, count: number): Promise<void> {
  const left = 'select count(*)::int as count from comments where org_id = $1 and project_id = $2'
  for (let tries = 0; tries < 120; tries++) {
    const [row] = await query(database, left, [orgId, projectId])
    if (Number(row?.count) < count) return
    await wait(1_000)
  }
  throw new Error('Nothing is purged')
}
