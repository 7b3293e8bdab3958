import type { Member } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { FormBox, useForm } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { MemberFields } from './member-fields.tsx'
import { peopleWords } from './people-words.ts'

const nobody: Pick<Member, 'name' | 'email' | 'role' | 'timezone'> = {
  ...{ name: '', email: '', role: 'member', timezone: null },
}

interface InviteMemberProps {
  onClose: () => void
  onAdded: (member: Member) => void
}

/** Creates a member. */
export function InviteMember({ onClose, onAdded }: InviteMemberProps) {
  const form = useForm('member', nobody)
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
      <FormBox {...form} submit={peopleWords.add} onSubmit={() => void submit()} onCancel={leave}>
        <MemberFields values={form.values} set={form.set} />
      </FormBox>
    </Dialog>
  )
}
