import { useSignal } from '@preact/signals'
import type { Project } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged } from '../../act/unless-changed.ts'
import { findMembers } from '../../parts/options.ts'
import { type Option, Picker } from '../../parts/picker.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { peopleWords } from './people-words.ts'
import { projectRoles } from './project-member-line.tsx'

/** Adds a member to a project, with a role. */
export function AddToProject({ project }: { project: Project }) {
  const who = useSignal<Option | undefined>(undefined)
  const role = useSignal<(typeof projectRoles)[number]>('contributor')
  const isBusy = useSignal(false)
  const add = async () => {
    const member = who.value
    if (!member || isBusy.value) return
    isBusy.value = true
    const body = { memberId: member.id, role: role.value }
    const outcome = await act((once) => tw().projects.members.add(project.id, body, once), {
      said: peopleWords.added(member.label),
      undo: (added) => tw().projects.members.remove(project.id, member.id, unlessChanged(added)),
    })
    isBusy.value = false
    if (outcome.done) who.value = undefined
  }
  return (
    <form
      class="people-add"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <Picker
        isSingle
        label={peopleWords.whom}
        chosen={who.value ? [who.value] : []}
        find={findMembers}
        onChange={([one]) => {
          who.value = one
        }}
      />
      <select
        aria-label={peopleWords.asWhat}
        value={role.value}
        onChange={({ currentTarget: { value } }) => {
          role.value = projectRoles.find((each) => each === value) ?? role.value
        }}
      >
        {projectRoles.map((each) => (
          <option key={each} value={each}>
            {peopleWords.projectRole[each]}
          </option>
        ))}
      </select>
      <button type="submit" aria-disabled={who.value === undefined || isBusy.value}>
        {isBusy.value ? words.frame.underWay : peopleWords.addToProject}
      </button>
    </form>
  )
}
