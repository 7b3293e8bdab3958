import { useLoaded } from '../../live/loaded.ts'
import { findMembers } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { setQuery } from '../../router/router.ts'
import { whyNotLeadAny } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { timesheetWords } from './timesheet-words.ts'

/** Chooses the member, for owners, admins and leads, who can record time for others. */
export function MemberSwitch({ memberId }: { memberId: string }) {
  const { member } = me()
  const shown = useLoaded(memberId, async (signal) =>
    memberId === member.id ? member : tw().members.get(memberId, {}, { signal }),
  )
  if (whyNotLeadAny() !== undefined && memberId === member.id) return null
  const name = memberId === member.id ? timesheetWords.mine(member.name) : (shown.value.value?.name ?? '…')
  return (
    <Picker
      label={timesheetWords.whose}
      isSingle
      chosen={[{ id: memberId, label: name }]}
      find={findMembers}
      onChange={([chosen]) => setQuery({ member: chosen && chosen.id !== member.id ? chosen.id : undefined })}
    />
  )
}
