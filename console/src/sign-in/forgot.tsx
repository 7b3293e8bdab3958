import { useSignal } from '@preact/signals'
import { ask } from '../session/ask.ts'
import { words } from '../words.ts'
import { Box } from './box.tsx'
import { FailureLine } from './failure-line.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'

interface ForgotProps {
  /** the address that was typed before */
  email: string
  onBack: () => void
}

/** Sends a link to reset the password. The page says the same for known and for unknown addresses. */
export function Forgot({ email: typed, onBack }: ForgotProps) {
  const email = useSignal(typed)
  const sentTo = useSignal<string | undefined>(undefined)
  const waiting = useWaiting()
  const submit = async (event: Event) => {
    event.preventDefault()
    const address = email.value.trim()
    if (address === '') return waiting.fail(signInWords.signIn.noEmail)
    if (await waiting.run(() => ask('POST', '/auth/password/forgot', { email: address }))) sentTo.value = address
  }
  const back = (
    <button type="button" class="plain link" onClick={onBack}>
      {signInWords.forgot.back}
    </button>
  )
  if (sentTo.value !== undefined)
    return (
      <Box key="sent" title={signInWords.forgot.title} isTitleFirst>
        <p role="status">{signInWords.forgot.sent(sentTo.value)}</p>
        {back}
      </Box>
    )
  return (
    <Box key="form" title={signInWords.forgot.title} lead={signInWords.forgot.lead}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <label class="field">
          <span>{signInWords.signIn.email}</span>
          <input
            type="email"
            name="email"
            autocomplete="username"
            autocapitalize="off"
            spellcheck={false}
            value={email.value}
            onInput={({ currentTarget }) => {
              email.value = currentTarget.value
            }}
          />
        </label>
        <FailureLine>{waiting.failure}</FailureLine>
        <button class="primary" type="submit" aria-disabled={waiting.isBusy}>
          {waiting.isBusy ? words.frame.underWay : signInWords.forgot.submit}
        </button>
      </form>
      {back}
    </Box>
  )
}
