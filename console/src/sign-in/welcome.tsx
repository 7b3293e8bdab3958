import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { failureSentence } from '../act/failures.ts'
import { ask } from '../session/ask.ts'
import { noteSession } from '../session/kept-session.ts'
import { readAccount } from '../session/person.ts'
import { Box } from './box.tsx'
import { FailureLine } from './failure-line.tsx'
import { enterFromLink, leaveLink } from './leave-link.ts'
import { SetUp } from './set-up.tsx'
import { signInWords } from './sign-in-words.ts'

/** The page of a sign-in link: signs in, then offers a way to sign in next time. */
export default function Welcome({ token }: { token: string }) {
  const state = useSignal<'under' | 'in' | { failure: string }>('under')
  const exchange = async () => {
    try {
      await ask('POST', '/auth/link', { token })
      noteSession(true)
      const { person } = await readAccount()
      if (person.passkeys > 0 || person.hasPassword || person.identities > 0) await enterFromLink()
      else state.value = 'in'
    } catch (error) {
      state.value = { failure: failureSentence(error) }
    }
  }
  useEffect(() => void exchange(), [])
  if (state.value === 'under')
    return (
      <p class="starting" role="status">
        {signInWords.welcome.under}
      </p>
    )
  if (state.value === 'in') return <SetUp onDone={() => enterFromLink()} />
  return (
    <Box title={signInWords.welcome.failed}>
      <FailureLine>{state.value.failure}</FailureLine>
      <p>{signInWords.welcome.failedHint}</p>
      <button type="button" class="primary" onClick={() => void leaveLink()}>
        {signInWords.welcome.toSignIn}
      </button>
    </Box>
  )
}
