import { ApiError } from '@taskwright/client'
import { failureSentence } from '../act/failures.ts'
import { ask } from '../session/ask.ts'
import { forgetSession } from '../session/kept-session.ts'
import { words } from '../words.ts'
import { Box } from './box.tsx'
import { FailureLine } from './failure-line.tsx'
import { leaveLink } from './leave-link.ts'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'

/** Whether the link will never work again, at least for this person. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404, 412].includes(error.status) && error.code !== 'sign_in_first'

/** Signs out, so that the invitation can be used by somebody else. */
export async function signOutAndRead(read: () => Promise<void>): Promise<void> {
  await ask('POST', '/auth/sign-out', {})
  forgetSession()
  await read()
}

/** Why an invitation does not work, and what to do next. */
export function Unusable({ error, onRetry }: { error: unknown; onRetry: () => Promise<void> }) {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'other_person') return <ForOther onRetry={onRetry} />
  return (
    <Box title={signInWords.invitation.failed}>
      <FailureLine>{failureSentence(error)}</FailureLine>
      {isFinal(error) ? (
        <p>{code === 'already_joined' ? signInWords.invitation.joinedAlready : signInWords.invitation.askAgain}</p>
      ) : (
        <button type="button" class="primary" onClick={() => void onRetry()}>
          {words.frame.retry}
        </button>
      )}
      <button type="button" class={isFinal(error) ? 'primary' : ''} onClick={() => void leaveLink()}>
        {signInWords.welcome.toSignIn}
      </button>
    </Box>
  )
}

/** The signed-in person cannot use the invitation. */
export function ForOther({ signedInAs, onRetry }: { signedInAs?: string; onRetry: () => Promise<void> }) {
  const waiting = useWaiting()
  return (
    <Box title={signInWords.invitation.failed}>
      <FailureLine>{waiting.failure || signInWords.invitation.forOther}</FailureLine>
      {signedInAs !== undefined && <p>{signInWords.invitation.as(signedInAs)}</p>}
      <button type="button" class="primary" onClick={() => void waiting.run(() => signOutAndRead(onRetry))}>
        {signInWords.invitation.signOut}
      </button>
      <button type="button" class="plain link" onClick={() => void leaveLink()}>
        {signInWords.invitation.notNow}
      </button>
    </Box>
  )
}
