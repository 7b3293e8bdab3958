import type { CreatedMember, Member } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { FormBox, useForm } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { useWays } from '../../sign-in/ways.ts'
import { MemberFields } from './member-fields.tsx'
import { peopleWords } from './people-words.ts'

const nobody: Pick<Member, 'name' | 'email' | 'role' | 'timezone'> & { invite: boolean } = {
  ...{ name: '', email: '', role: 'member', timezone: null, invite: true },
}

interface InviteMemberProps {
  onClose: () => void
  onAdded: (member: CreatedMember) => void
}

/** Creates a member, with an invitation for a person or without one for a program. */
export function InviteMember({ onClose, onAdded }: InviteMemberProps) {
  const form = useForm('member', nobody)
  const { ways } = useWays()
  const { invite } = form.values
  const submit = async () => {
    const outcome = await form.send((values, once) => tw().members.create(values, once))
    if (outcome.done) onAdded(outcome.value)
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={peopleWords.invite} onClose={leave}>
      <FormBox
        {...form}
        submit={invite ? peopleWords.addInvited : peopleWords.add}
        onSubmit={() => void submit()}
        onCancel={leave}
      >
        <MemberFields values={form.values} set={form.set} />
        <label class="check">
          <input
            type="checkbox"
            checked={invite}
            aria-describedby="invite-hint"
            onChange={({ currentTarget }) => form.set({ invite: currentTarget.checked })}
          />
          <span>{peopleWords.sendInvitation}</span>
        </label>
        <p id="invite-hint" class="quiet small">
          {!invite
            ? peopleWords.noInvitation
            : ways?.mail
              ? peopleWords.sendInvitationMail
              : peopleWords.sendInvitationCopy}
        </p>
      </FormBox>
    </Dialog>
  )
}
