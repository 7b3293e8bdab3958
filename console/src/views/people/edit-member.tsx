import type { Member } from '@taskwright/client'
import { useEdit } from '../../parts/edit.tsx'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { tw } from '../../session/session.ts'
import { MemberFields } from './member-fields.tsx'
import { peopleWords } from './people-words.ts'

/** Edits a member and their role. */
export function EditMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const edit = useEdit({
    what: `member.${member.id}`,
    now: member,
    fields: ['name', 'email', 'role', 'timezone'],
    read: () => tw().members.get(member.id),
    update: (changes, options) => tw().members.update(member.id, changes, options),
    said: peopleWords.saved(member.name),
  })
  return (
    <EditDialog title={peopleWords.editTitle(member.name)} edit={edit} labels={peopleWords.fields} onClose={onClose}>
      <MemberFields values={edit.form.values} set={edit.form.set} />
    </EditDialog>
  )
}
