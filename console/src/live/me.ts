import type { Event, Member, Organization, ProjectMember } from '@taskwright/client'
import { noteMe, readMeAnew, session, whileSignedIn } from '../session/session.ts'
import { onEvent, onMissed } from './live.ts'
import { isNewer } from './versions.ts'

/** Keeps who is signed in, what they may do and how their organization is set as it is on the server. */
export function followMe(): void {
  whileSignedIn(() => {
    // what cannot be read now is read with the next connection
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
