import { everyone, isBelow, operator, type ProjectRole, projectRoles, type Role } from '../access/caller.ts'
import type { Belonging } from '../access/loader.ts'
import type { Route } from '../operations/route.ts'
import { nounOf } from './nouns.ts'

/** The extension `x-access` of an operation: the credential, scope and roles that it requires. */
interface Access {
  credential: 'apiKey' | 'operatorToken'
  /** the required scope of the API key */
  scope?: 'read' | 'write'
  /** the roles in the organization that are allowed; absent: all */
  organizationRoles?: readonly Role[]
  /** the roles in the project that are allowed; absent: all */
  projectRoles?: readonly ProjectRole[]
  /** the same rules in words, with the exceptions */
  description: string
}

/** Describes the credential, scope and roles that an operation requires. */
export function accessTo(route: Route): Access {
  const { method, roles, needs, target } = route
  if (roles === operator) return { credential: 'operatorToken', description: 'The operator token.' }
  const scope = method === 'GET' ? 'read' : 'write'
  const organizationRoles = roles.length < everyone.length ? roles : undefined
  const own = typeof needs === 'object' ? needs.own : needs
  const inProject = own !== undefined && (target?.belongsTo === 'project' || target?.belongsTo === 'either')
  return {
    credential: 'apiKey',
    scope,
    ...(organizationRoles ? { organizationRoles } : {}),
    ...(inProject ? { projectRoles: rolesFrom(own) } : {}),
    description: [
      `An API key with the scope \`${scope}\`.`,
      ...(organizationRoles ? [`Organization role: ${either(organizationRoles)}.`] : []),
      ...onTarget(route),
      ...onReferences(route),
      ...inCases(route),
    ].join(' '),
  }
}

function onTarget({ roles, needs, target, path }: Route): string[] {
  if (needs === undefined || target === undefined) return []
  if (typeof needs === 'string') {
    // nobody is above an owner
    const onlyOwners = target.belongsTo === 'organization' && roles.length === 1 && roles[0] === 'owner'
    return onlyOwners ? [] : [roleOn(target.belongsTo, needs)]
  }
  const { own, others } = needs
  const [noun, onOwn] = [nounOf(path.split('/')[1] ?? ''), either(rolesFrom(own))]
  if (others === 'nobody') return [`Only your own ${noun}. Project role: ${onOwn}.`]
  return [`Your own ${noun}: project role ${onOwn}. A ${noun} of another member: ${either(rolesFrom(others))}.`]
}

function roleOn(belongsTo: Belonging, needed: ProjectRole): string {
  const inProject = `Project role: ${either(rolesFrom(needed))}.`
  return {
    project: inProject,
    either: `${inProject} Without a project: owner or admin of the organization.`,
    organization: 'The role of that member must not be above yours.',
    member:
      'Your own key: any member. The key of another member: owner or admin, and the role of that member must not be ' +
      'above yours.',
  }[belongsTo]
}

function onReferences({ references, target }: Route): string[] {
  const needed = Object.entries(references).filter(([, { needs }]) => needs)
  const inProject = needed.filter(([, { to }]) => to.belongsTo === 'project')
  const members = needed.filter(([, { to }]) => to.belongsTo !== 'project').map(([field]) => `\`${field}\``)
  const roles = [...new Set(inProject.map(([, { needs }]) => needs ?? 'viewer'))]
  return [
    ...roles.map((role) => {
      const fields = inProject.filter(([, { needs }]) => needs === role).map(([field]) => field)
      const quoted = either(fields.map((field) => `\`${field}\``))
      if (target) return `If you send ${quoted}: also ${either(rolesFrom(role))} in that project.`
      const where = fields.includes('projectId') ? '' : ` of ${quoted}`
      return `Role in the project${where}: ${either(rolesFrom(role))}.`
    }),
    ...members.map(
      (field) => `For another member in ${field}: owner or admin, and the role of that member must not be above yours.`,
    ),
  ]
}

const inCases = ({ cases }: Route): string[] =>
  cases.map(({ when, roles = [], needs }) => {
    const allowed = needs
      ? `project role ${either(rolesFrom(needs))}`
      : roles.length === everyone.length
        ? 'any member'
        : `organization role ${either(roles)}`
    return `${when.charAt(0).toUpperCase()}${when.slice(1)}: ${allowed}.`
  })

/** A project role and those above it. */
const rolesFrom = (needed: ProjectRole) => projectRoles.filter((role) => !isBelow(role, needed))

const either = (roles: readonly string[]) => [roles.slice(0, -1).join(', '), roles.at(-1)].filter(Boolean).join(' or ')
