import { useSignal } from '@preact/signals'
import { Failure } from '../parts/failure.tsx'
import { hasSession } from '../session/kept-session.ts'
import { usedKey } from '../session/key-sign-in.ts'
import { enterAnew, resumeSession } from '../session/person.ts'
import { signInReason } from '../session/session.ts'
import { words } from '../words.ts'
import { Box } from './box.tsx'
import { Forgot } from './forgot.tsx'
import { KeyForm } from './key-form.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWays } from './ways.ts'
import { WaysIn } from './ways-in.tsx'

/** The sign-in page: the ways that are on. An API key is behind a button, unless this browser used one before. */
export default function SignIn() {
  const { ways, error, read } = useWays()
  const shown = useSignal<'person' | 'key' | 'forgot'>(usedKey() ? 'key' : 'person')
  const email = useSignal('')
  const show = (next: typeof shown.value) => {
    signInReason.value = ''
    shown.value = next
  }
  if (shown.value === 'forgot') return <Forgot email={email.value} onBack={() => show('person')} />
  const hasOthers = ways?.ways.some((way) => way !== 'key') ?? true
  if (shown.value === 'key' || !hasOthers)
    return (
      <Box key="key" title={words.session.title} lead={hasOthers ? words.session.keyLead : signInWords.signIn.onlyKeys}>
        <KeyForm />
        {hasOthers && (
          <button type="button" class="plain link" onClick={() => show('person')}>
            {signInWords.signIn.otherWays}
          </button>
        )}
      </Box>
    )
  if (ways === undefined)
    return (
      <Box key="loading" title={words.session.title}>
        {error === undefined ? (
          <p class="quiet" role="status">
            {words.frame.loading}
          </p>
        ) : (
          <Failure error={error} onRetry={read} />
        )}
      </Box>
    )
  return (
    <Box key="person" title={words.session.title}>
      <WaysIn
        of={ways}
        onDone={() => enterAnew()}
        onForgot={(typed) => {
          email.value = typed
          show('forgot')
        }}
      />
      {hasSession() && (
        <button type="button" onClick={() => void resumeSession()}>
          {words.session.again}
        </button>
      )}
      <p class="quiet small">{signInWords.signIn.newHere}</p>
      {ways.ways.includes('key') && (
        <button type="button" class="plain link" onClick={() => show('key')}>
          {signInWords.signIn.withKey}
        </button>
      )}
    </Box>
  )
}
