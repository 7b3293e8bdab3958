import type { NewInvitation } from '@taskwright/client'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { peopleWords } from './people-words.ts'

interface InvitationLinkProps {
  invitation: NewInvitation
  name: string
  email: string
  onClose: () => void
}

/** Shows the link of a new invitation once. */
export const InvitationLink = ({ invitation: { link, mailedAt }, name, email, onClose }: InvitationLinkProps) => (
  <SecretOnce
    title={peopleWords.inviteTitle(name)}
    label={peopleWords.link}
    secret={link}
    isSpare={mailedAt !== null}
    onClose={onClose}
  >
    {mailedAt !== null && <p>{peopleWords.inviteMailed(email)}</p>}
    <p>{peopleWords.inviteLead(name)}</p>
  </SecretOnce>
)
