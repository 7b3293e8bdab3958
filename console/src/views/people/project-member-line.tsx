import type { ProjectMember } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged, unlessOthersChanged } from '../../act/unless-changed.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Row } from '../../parts/rows.tsx'
import { tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'

interface ProjectMemberLineProps {
  member: ProjectMember
  /** whether the user can change roles here */
  mayLead: boolean
}

export const projectRoles = ['lead', 'contributor', 'viewer'] as const

/** A member of a project: the effective role and the granted one. */
export function ProjectMemberLine({ member, mayLead }: ProjectMemberLineProps) {
  const { memberId, name, role, grantedRole } = member
  const isOpen = mayLead && grantedRole !== null
  return (
    <Row
      name={
        <>
          <span aria-hidden="true">
            <Avatar id={memberId} name={name} />
          </span>
          <span dir="auto">{name}</span>
        </>
      }
      chips={(!isOpen || role !== grantedRole) && <span class="chip">{peopleWords.projectRole[role]}</span>}
      about={
        grantedRole === null
          ? [peopleWords.byOrganization]
          : grantedRole !== role
            ? [peopleWords.given(peopleWords.projectRole[grantedRole])]
            : []
      }
      actions={
        isOpen && (
          <>
            <select
              aria-label={peopleWords.roleOf(name)}
              value={grantedRole}
              onChange={(event) => {
                const chosen = projectRoles.find((each) => each === event.currentTarget.value)
                // show the old role until the server confirms the new one
                event.currentTarget.value = grantedRole
                if (chosen) void change(member, chosen)
              }}
            >
              {projectRoles.map((each) => (
                <option key={each} value={each}>
                  {peopleWords.projectRole[each]}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="dangerous"
              aria-label={peopleWords.takeOff(name)}
              onClick={() => void remove(member)}
            >
              {peopleWords.remove}
            </button>
          </>
        )
      }
    />
  )
}

function change(member: ProjectMember, role: ProjectMember['role']) {
  const { projectId, memberId, name, grantedRole } = member
  return act(() => tw().projects.members.update(projectId, memberId, { role }, unlessOthersChanged(member)), {
    said: peopleWords.roleChanged(name, peopleWords.projectRole[role]),
    ...(grantedRole && {
      undo: (changed) =>
        tw().projects.members.update(projectId, memberId, { role: grantedRole }, unlessChanged(changed)),
    }),
  })
}

function remove({ projectId, memberId, name, grantedRole }: ProjectMember) {
  return act(() => tw().projects.members.remove(projectId, memberId), {
    said: peopleWords.takenOff(name),
    ...(grantedRole && { undo: () => tw().projects.members.add(projectId, { memberId, role: grantedRole }) }),
  })
}
