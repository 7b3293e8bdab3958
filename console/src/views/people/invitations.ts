import type { FullMember, Invitation } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { useLoaded } from '../../live/loaded.ts'
import { isAdmin } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'

// as many as a page of members; each has at most one that is open
const mostAtOnce = 100

/** The invitations of members that nobody accepted yet, by member. Only owners and admins see them. */
export function useInvitations(members: readonly FullMember[] | undefined) {
  const waiting = isAdmin() ? (members ?? []).filter(({ joinedAt }) => joinedAt === null).map(({ id }) => id) : []
  const invitations = useLoaded(
    waiting.join(),
    async (signal) => {
      if (waiting.length === 0) return []
      return (await tw().invitations.list({ memberId: waiting, limit: mostAtOnce }, { signal })).data
    },
    ({ type }) => (type.startsWith('invitation.') ? 'again' : undefined),
  )
  const unused = (invitations.value.value ?? []).filter(({ acceptedAt }) => acceptedAt === null)
  return new Map(unused.map((invitation) => [invitation.memberId, invitation]))
}

/** Whether nobody can use it any more. */
export const isExpired = ({ expiresAt }: Pick<Invitation, 'expiresAt'>): boolean => Date.parse(expiresAt) <= Date.now()

/** Mails a new link. The former one ends. */
export const resend = ({ id, name }: Pick<FullMember, 'id' | 'name'>) =>
  act((once) => tw().members.invite(id, once), { said: peopleWords.resent(name) })

/** Ends the link of a member. Another tab may have made a newer one since this page read it. */
export const cancelInvitation = ({ id, name }: Pick<FullMember, 'id' | 'name'>) =>
  act(
    async () => {
      const { data } = await tw().invitations.list({ memberId: [id], limit: mostAtOnce })
      for (const each of data) if (each.acceptedAt === null) await tw().invitations.delete(each.id)
    },
    { said: peopleWords.invitationCanceled(name) },
  )
