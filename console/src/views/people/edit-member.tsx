import type { Member } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Meanwhile, useEdit } from '../../parts/edit.tsx'
import { FormBox } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { MemberFields } from './member-fields.tsx'

/** Changes what is said of a member, and its role. */
export function EditMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const edit = useEdit({
    what: `member.${member.id}`,
    now: member,
    fields: ['name', 'email', 'role', 'timezone'],
    read: () => tw().members.read(member.id),
    update: (changes, options) => tw().members.update(member.id, changes, options),
    said: words.people.saved(member.name),
  })
  const { form } = edit
  const save = async () => {
    if ((await edit.save()).done) onClose()
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={words.people.editTitle(member.name)} onClose={leave}>
      <FormBox
        {...form}
        error={edit.theirs.length > 0 ? undefined : form.error}
        submit={words.edit.save}
        onSubmit={() => void save()}
        onCancel={leave}
      >
        <MemberFields values={form.values} set={form.set} />
        <Meanwhile edit={edit} labels={words.people.fields} onSaved={onClose} />
      </FormBox>
    </Dialog>
  )
}
