import type { Event, Member, Organization, ProjectMember } from '@taskwright/client'
import { noteMe, readMeAnew, session, whileSignedIn } from '../session/session.ts'
import { onEvent, onMissed } from './live.ts'
import { isNewer } from './versions.ts'

/** Keeps the signed-in member, their roles and the settings of their organization current. */
export function followMe(): void {
  whileSignedIn(() => {
    // a failed read is repeated with the next connection
    const ends = [onEvent(heard), onMissed(() => void readMeAnew().catch(() => {}))]
    return () => {
      for (const end of ends) end()
    }
  })
}

function heard({ type, resource, snapshot }: Event): void {
  const now = session.peek()
  if (now === null) return
  const { me, roles } = now
  const [noun] = type.split('.')
  if (noun === 'organization') {
    const organization = snapshot as unknown as Organization
    if (isNewer(organization, me.organization)) noteMe({ organization })
  } else if (resource.id !== me.member.id) return
  else if (noun === 'member') {
    const member = snapshot as unknown as Member
    if (isNewer(member, me.member)) noteMe({ member })
  } else if (noun === 'project_member') {
    const { projectId, role } = snapshot as unknown as ProjectMember
    const others = [...roles].filter(([id]) => id !== projectId)
    noteMe({ roles: new Map(type === 'project_member.deleted' ? others : [...others, [projectId, role]]) })
  }
}
