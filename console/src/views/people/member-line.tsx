import type { FullMember } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged, unlessOthersChanged } from '../../act/unless-changed.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { Row } from '../../parts/rows.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { isAdmin, mayAdminister } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'

interface MemberLineProps {
  member: FullMember
  onAsk: (what: 'edit' | 'remove' | 'key') => void
}

/** A member: role, projects and actions. */
export function MemberLine({ member, onAsk }: MemberLineProps) {
  const { id, name, email, role, status, timezone, projects = [], moreProjects } = member
  return (
    <Row
      isFaint={status === 'deactivated'}
      name={
        <>
          <span aria-hidden="true">
            <Avatar id={id} name={name} />
          </span>
          <span dir="auto">{name}</span>
        </>
      }
      chips={
        <>
          {id === me().member.id && <span class="chip good">{peopleWords.you}</span>}
          {role !== 'member' && <span class="chip">{peopleWords.role[role]}</span>}
          {status === 'deactivated' && <span class="chip warn">{peopleWords.deactivated}</span>}
        </>
      }
      about={[
        email,
        ...(timezone === null ? [] : [timezone]),
        ...(projects.length === 0
          ? []
          : [
              <>
                {peopleWords.in}{' '}
                {projects.map((project, place) => (
                  <>
                    {place > 0 && ', '}
                    <a key={project.id} href={hrefOf(`/people/projects/${project.id}`)} dir="auto">
                      {project.name}
                    </a>
                  </>
                ))}
                {moreProjects && '…'}
              </>,
            ]),
      ]}
      actions={
        mayActOn(role) && (
          <Menu class="icon" label={peopleWords.actions(name)} items={itemsOf(member, onAsk)} children="⋯" />
        )
      }
    />
  )
}

/** Only an owner can act on an owner. */
const mayActOn = (role: FullMember['role']) => mayAdminister() && (role !== 'owner' || me().member.role === 'owner')

function itemsOf(member: FullMember, onAsk: MemberLineProps['onAsk']): MenuItem[] {
  const isActive = member.status === 'active'
  return [
    { label: peopleWords.edit, run: () => onAsk('edit') },
    ...(isActive ? [{ label: peopleWords.makeKey, run: () => onAsk('key') }] : []),
    ...(isAdmin() ? [{ label: peopleWords.keys, run: () => go(hrefOf('/keys', { of: member.id })) }] : []),
    { label: isActive ? peopleWords.deactivate : peopleWords.reactivate, run: () => void turn(member) },
    { label: peopleWords.remove, run: () => onAsk('remove'), isDangerous: true },
  ]
}

/** Deactivates or reactivates a member. */
function turn(member: FullMember) {
  const { id, name, status } = member
  const next = status === 'active' ? 'deactivated' : 'active'
  return act(() => tw().members.update(id, { status: next }, unlessOthersChanged(member)), {
    said: next === 'active' ? peopleWords.reactivated(name) : peopleWords.deactivatedNow(name),
    undo: (changed) => tw().members.update(id, { status }, unlessChanged(changed)),
  })
}
