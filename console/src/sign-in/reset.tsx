import { ask } from '../session/ask.ts'
import { words } from '../words.ts'
import { Box } from './box.tsx'
import { enterFromLink, leaveLink } from './leave-link.ts'
import { NewPassword } from './new-password.tsx'

/** The page of a mailed link to reset a password. */
export default function Reset({ token }: { token: string }) {
  const save = async (password: string) => {
    await ask('POST', '/auth/password/reset', { token, password })
    await enterFromLink()
  }
  return (
    <Box title={words.reset.title} lead={words.reset.lead}>
      <NewPassword submit={words.reset.submit} write={save} />
      <button type="button" class="plain link" onClick={() => void leaveLink()}>
        {words.forgot.back}
      </button>
    </Box>
  )
}
