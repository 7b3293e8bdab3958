import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { ask } from '../session/ask.ts'
import { words } from '../words.ts'
import { FailureLine } from './failure-line.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'

interface PasswordFormProps {
  /** whether its button is the main one of the page */
  isFirst: boolean
  onStart: () => void
  onDone: () => Promise<unknown>
  onForgot?: (email: string) => void
}

/** Signs in with an e-mail address and a password. The browser lists passkeys in the field of the address. */
export function PasswordForm({ isFirst, onStart, onDone, onForgot }: PasswordFormProps) {
  const email = useSignal('')
  const password = useSignal('')
  const waiting = useWaiting()
  const reason = useId()
  const submit = async (event: Event) => {
    event.preventDefault()
    onStart()
    if (email.value.trim() === '') return waiting.fail(signInWords.signIn.noEmail)
    if (password.value === '') return waiting.fail(signInWords.signIn.noPassword)
    await waiting.run(async () => {
      await ask('POST', '/auth/password', { email: email.value.trim(), password: password.value })
      await onDone()
    })
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <label class="field">
        <span>{signInWords.signIn.email}</span>
        <input
          type="email"
          name="email"
          autocomplete="username webauthn"
          autocapitalize="off"
          spellcheck={false}
          value={email.value}
          aria-describedby={reason}
          onInput={({ currentTarget }) => {
            email.value = currentTarget.value
          }}
        />
      </label>
      <label class="field">
        <span>{signInWords.signIn.password}</span>
        <input
          type="password"
          name="password"
          autocomplete="current-password"
          value={password.value}
          aria-invalid={waiting.failure !== ''}
          aria-describedby={reason}
          onInput={({ currentTarget }) => {
            password.value = currentTarget.value
          }}
        />
      </label>
      <FailureLine id={reason}>{waiting.failure}</FailureLine>
      <button class={isFirst ? 'primary' : ''} type="submit" aria-disabled={waiting.isBusy}>
        {waiting.isBusy ? words.session.under : words.session.submit}
      </button>
      {onForgot && (
        <button type="button" class="plain link" onClick={() => onForgot(email.value.trim())}>
          {signInWords.signIn.forgot}
        </button>
      )}
    </form>
  )
}
