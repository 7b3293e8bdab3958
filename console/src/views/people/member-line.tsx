import type { FullMember, Invitation } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged, unlessOthersChanged } from '../../act/unless-changed.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { momentText } from '../../parts/format.ts'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { Row } from '../../parts/rows.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { isAdmin, mayAdminister } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { useWays } from '../../sign-in/ways.ts'
import { cancelInvitation, isExpired, resend } from './invitations.ts'
import { peopleWords } from './people-words.ts'

interface MemberLineProps {
  member: FullMember
  /** that nobody accepted yet */
  invitation: Invitation | undefined
  onAsk: (what: 'edit' | 'remove' | 'key' | 'link') => void
}

/** A member: role, projects and actions. */
export function MemberLine({ member, invitation, onAsk }: MemberLineProps) {
  const { id, name, email, role, status, timezone, projects = [], moreProjects } = member
  const { ways } = useWays()
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
          {invitation && <span class="chip">{peopleWords.pending}</span>}
          {isAdmin() && member.joinedAt !== null && !member.emailVerified && (
            <span class="chip warn">{peopleWords.notVerified}</span>
          )}
          {status === 'deactivated' && <span class="chip warn">{peopleWords.deactivated}</span>}
        </>
      }
      about={[
        email,
        ...(timezone === null ? [] : [timezone]),
        ...(invitation ? [pendingText(invitation)] : []),
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
          <Menu
            class="icon"
            label={peopleWords.actions(name)}
            items={() => itemsOf(member, invitation, ways?.mail ?? false, onAsk)}
            children="⋯"
          />
        )
      }
    />
  )
}

/** Only an owner can act on an owner. */
const mayActOn = (role: FullMember['role']) => mayAdminister() && (role !== 'owner' || me().member.role === 'owner')

function itemsOf(
  member: FullMember,
  invitation: Invitation | undefined,
  mails: boolean,
  onAsk: MemberLineProps['onAsk'],
): MenuItem[] {
  const isActive = member.status === 'active'
  const isWaiting = isActive && member.joinedAt === null
  return [
    { label: peopleWords.edit, run: () => onAsk('edit') },
    ...(isWaiting && !invitation ? [{ label: peopleWords.inviteAgain, run: () => onAsk('link') }] : []),
    ...(isWaiting && invitation
      ? [
          ...(mails ? [{ label: peopleWords.resend, run: () => void resend(member) }] : []),
          { label: peopleWords.copyLink, run: () => onAsk('link') },
          { label: peopleWords.cancelInvitation, run: () => void cancelInvitation(member) },
        ]
      : []),
    ...(isActive ? [{ label: peopleWords.makeKey, run: () => onAsk('key') }] : []),
    ...(isAdmin() ? [{ label: peopleWords.keys, run: () => go(hrefOf('/keys', { of: member.id })) }] : []),
    { label: isActive ? peopleWords.deactivate : peopleWords.reactivate, run: () => void turn(member) },
    { label: peopleWords.remove, run: () => onAsk('remove'), isDangerous: true },
  ]
}

const pendingText = (invitation: Invitation) =>
  (isExpired(invitation) ? peopleWords.pendingExpired : peopleWords.pendingUntil)(momentText(invitation.expiresAt))

/** Deactivates or reactivates a member. */
function turn(member: FullMember) {
  const { id, name, status } = member
  const next = status === 'active' ? 'deactivated' : 'active'
  return act(() => tw().members.update(id, { status: next }, unlessOthersChanged(member)), {
    said: next === 'active' ? peopleWords.reactivated(name) : peopleWords.deactivatedNow(name),
    undo: (changed) => tw().members.update(id, { status }, unlessChanged(changed)),
  })
}
