import { ask } from '../session/ask.ts'
import { Box } from './box.tsx'
import { enterFromLink, leaveLink } from './leave-link.ts'
import { NewPassword } from './new-password.tsx'
import { signInWords } from './sign-in-words.ts'

/** The page of a mailed link to reset a password. */
export default function Reset({ token }: { token: string }) {
  const save = async (password: string) => {
    await ask('POST', '/auth/password/reset', { token, password })
    await enterFromLink()
  }
  return (
    <Box title={signInWords.reset.title} lead={signInWords.reset.lead}>
      <NewPassword submit={signInWords.reset.submit} write={save} />
      <button type="button" class="plain link" onClick={() => void leaveLink()}>
        {signInWords.forgot.back}
      </button>
    </Box>
  )
}
