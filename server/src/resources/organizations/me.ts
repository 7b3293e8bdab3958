import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { inDeletedProject } from '../../access/visibility.ts'
import { unauthorized } from '../../contract/errors.ts'
import { words } from '../../contract/fields.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { readHead } from '../../events/head.ts'
import type { IncludeContext } from '../../lists/include.ts'
import { route } from '../../operations/route.ts'
import { ApiKey, apiKey, visibleTo } from '../api-keys/api-key.ts'
import { Head } from '../events/event.ts'
import { Member, member } from '../member.ts'
import { ProjectMember } from '../projects/members.ts'
import { Subtask } from '../subtask.ts'
import { BriefTask } from '../task.ts'
import { besideTime } from '../time/include.ts'
import { running } from '../time/record-time.ts'
import { TimeEntry } from '../time-entry.ts'
import { Organization, organization } from './organization.ts'

const RunningTime = TimeEntry.omit({ description: true })
  .extend({ task: BriefTask.nullable(), subtask: Subtask.nullable() })
  .meta({ id: 'RunningTime', description: 'The running time entry, with its task and subtask.' })
type RunningTime = z.output<typeof RunningTime>

const parts = ['timer', 'eventsHead', 'projectRoles'] as const

const mostRoles = 1_000

const GrantedRole = ProjectMember.pick({ projectId: true, role: true }).meta({
  id: 'GrantedRole',
  description: 'The role that a member was given in a project.',
})
type GrantedRole = z.output<typeof GrantedRole>

const Me = z
  .strictObject({
    member: Member,
    organization: Organization,
    via: z
      .enum(['key', 'session'])
      .meta({ description: 'Whether the request has an API key or the session of a person.' }),
    apiKey: ApiKey.nullable().meta({ description: 'The API key of the request. Null if it has a session.' }),
    timer: RunningTime.nullable().optional().meta({ description: 'Your running timer. Null if there is none.' }),
    eventsHead: Head.optional(),
    projectRoles: z
      .array(GrantedRole)
      .max(mostRoles)
      .optional()
      .meta({
        description:
          'Your roles in the projects that you were added to, newest project first. Owners and admins also lead all ' +
          'other projects.',
      }),
  })
  .meta({
    id: 'FullMe',
    description: 'The member and organization of the caller, with the data that `include` names.',
  })

/** The first request of a client. */
export const me = route('GET /me', {
  name: 'me.get',
  summary: 'Get your member, organization and API key',
  description:
    'If you follow events, start with this request. The server reads `eventsHead` before the rest, so you miss ' +
    'no change between the two.',
  roles: everyone,
  query: z.strictObject({
    include: words(parts, parts.length)
      .optional()
      .meta({ description: `Adds related data. Any of ${parts.join(', ')}, separated by commas.` }),
  }),
  returns: Me,
  async handle(asked) {
    const { db, caller, query } = asked
    const isWanted = (part: (typeof parts)[number]) => query.include?.includes(part)
    const head = isWanted('eventsHead') ? await readHead(db, caller.orgId) : undefined
    const [[me], [mine], [key], timer, projectRoles] = await Promise.all([
      member.load(db, caller, { ids: [caller.memberId], lock: 'none' }),
      organization.load(db, caller, { ids: [caller.orgId], lock: 'none' }),
      caller.keyId === null ? [] : apiKey.load(db, caller, { ids: [caller.keyId], lock: 'none' }),
      isWanted('timer') ? readTimer(asked) : undefined,
      isWanted('projectRoles') ? readRoles(asked) : undefined,
    ])
    // removed after the request was authenticated
    if (me === undefined || (key === undefined && caller.keyId !== null)) throw unauthorized()
    return {
      member: me.item,
      organization: expected(mine, 'The organization').item,
      via: key === undefined ? ('session' as const) : ('key' as const),
      apiKey: key === undefined ? null : visibleTo(caller)(key.item),
      ...(timer !== undefined && { timer }),
      ...(head && { eventsHead: { oldest: head.oldest, latest: head.latest } }),
      ...(projectRoles && { projectRoles }),
    }
  },
})

/** The running time entry of the caller, with its task and subtask. */
async function readTimer({ db, caller, now }: IncludeContext): Promise<RunningTime | null> {
  const entry = await running({ db, caller }, caller.memberId, 'none')
  if (entry === undefined) return null
  const full = await besideTime.inItem({ db, caller, now, query: { include: ['task', 'subtask'] } }, entry)
  const { description: _, ...brief } = full instanceof Prerendered ? full.item : full
  return brief as RunningTime
}

/** The roles that the caller was given in projects that are not deleted. Owners and admins lead those, too. */
function readRoles({ db, caller: { orgId, memberId, role } }: IncludeContext): Promise<GrantedRole[]> {
  const shown = role === 'member' ? sql`project_members.role` : sql`'lead'`
  return db.rows<GrantedRole>(sql`
    select project_members.project_id as "projectId", ${shown} as role from project_members
    where project_members.org_id = ${orgId} and project_members.member_id = ${memberId}
      and ${inDeletedProject(orgId, sql`project_members`)} is not true
    order by project_members.project_id desc limit ${mostRoles}`)
}
