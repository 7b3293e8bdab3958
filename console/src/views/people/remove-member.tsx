import type { Member } from '@taskwright/client'
import { Confirm } from '../../parts/confirm.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'

/** Explains the effect, then removes a member, who can be restored for 30 days. */
export function RemoveMember({ member: { id, name }, onClose }: { member: Member; onClose: () => void }) {
  return (
    <Confirm
      isDangerous
      title={words.people.removeTitle(name)}
      submit={words.people.remove}
      write={() => tw().members.delete(id)}
      said={words.people.removed(name)}
      undo={() => tw().members.restore(id)}
      onClose={onClose}
    >
      <p>{words.people.removeLead}</p>
    </Confirm>
  )
}
