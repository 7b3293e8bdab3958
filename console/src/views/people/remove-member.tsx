import type { Member } from '@taskwright/client'
import { Confirm } from '../../parts/confirm.tsx'
import { tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'

/** Explains the effect, then removes a member, who can be restored for 30 days. */
export function RemoveMember({ member: { id, name }, onClose }: { member: Member; onClose: () => void }) {
  return (
    <Confirm
      isDangerous
      title={peopleWords.removeTitle(name)}
      submit={peopleWords.remove}
      write={() => tw().members.delete(id)}
      said={peopleWords.removed(name)}
      undo={() => tw().members.restore(id)}
      onClose={onClose}
    >
      <p>{peopleWords.removeLead}</p>
    </Confirm>
  )
}
