import { whyNotLead, whyNotWorkIn } from '../session/may.ts'
import { me, tw } from '../session/session.ts'
import type { Option } from './picker.tsx'

/** Searches linked resources by typed text; the `find` of a picker. */
type FindOptions = (typed: string, signal: AbortSignal) => Promise<readonly Option[]>

const most = 20

const asked = (typed: string) => ({ limit: most, ...(typed !== '' && { q: typed }) })
const named = ({ id, name }: { id: string; name: string }): Option => ({ id, label: name })

export const findMembers: FindOptions = async (typed, signal) =>
  (await tw().members.list(asked(typed), { signal })).data.map(named)

/** Finds members, without those whose role is above the user's. */
export const findMembersToActOn: FindOptions = async (typed, signal) => {
  const { data } = await tw().members.list(asked(typed), { signal })
  return data.filter(({ role }) => role !== 'owner' || me().member.role === 'owner').map(named)
}

export const findTags: FindOptions = async (typed, signal) =>
  (await tw().tags.list(asked(typed), { signal })).data.map(named)

export const findTaskTypes: FindOptions = async (typed, signal) =>
  (await tw().taskTypes.list(asked(typed), { signal })).data.map(named)

export const findProjects: FindOptions = async (typed, signal) =>
  (await tw().projects.list({ ...asked(typed), status: 'active' }, { signal })).data.map(named)

/** Finds projects in which the user can create tasks. */
export const findProjectsToWorkIn: FindOptions = async (typed, signal) =>
  (await findProjects(typed, signal)).filter(({ id }) => whyNotWorkIn(id) === undefined)

/** Finds projects that the user leads. */
export const findProjectsToLead: FindOptions = async (typed, signal) =>
  (await findProjects(typed, signal)).filter(({ id }) => whyNotLead(id) === undefined)

export const findWorkspaces: FindOptions = async (typed, signal) =>
  (await tw().workspaces.list(asked(typed), { signal })).data.map(named)
