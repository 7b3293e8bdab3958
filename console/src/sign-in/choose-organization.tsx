import { account, choose, choosing, signOutPerson } from '../session/person.ts'
import { words } from '../words.ts'
import { Box } from './box.tsx'
import { FailureLine } from './failure-line.tsx'
import { signInWords } from './sign-in-words.ts'

/** Lets a person choose one of their organizations, when the browser remembers none. */
export default function ChooseOrganization() {
  const { person, organizations } = account.value ?? { organizations: [] }
  return (
    <Box
      title={organizations.length > 0 ? words.session.choose : words.session.nowhere}
      lead={words.session.chooseLead(person?.name ?? '')}
    >
      <FailureLine>{choosing.value ?? ''}</FailureLine>
      {organizations.map(({ id, name, role }) => (
        <button key={id} type="button" class="choice" onClick={() => void choose(id)}>
          <span dir="auto">{name}</span>
          <span class="quiet small">{signInWords.invitation.role[role]}</span>
        </button>
      ))}
      <button type="button" class="plain link" onClick={() => void signOutPerson()}>
        {words.session.out}
      </button>
    </Box>
  )
}
