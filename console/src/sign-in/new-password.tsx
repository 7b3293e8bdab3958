import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { PasswordInput } from '../parts/password-input.tsx'
import { words } from '../words.ts'
import { FailureLine } from './failure-line.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'

// the server checks the length too, and that the password is hard to guess
const shortest = 12

interface NewPasswordProps {
  submit: string
  /** of the person, for password managers */
  email?: string | null | undefined
  isPrimary?: boolean
  write: (password: string) => Promise<unknown>
}

/** A form for a new password, with a button that shows it. */
export function NewPassword({ submit: label, email, isPrimary = true, write }: NewPasswordProps) {
  const password = useSignal('')
  const isShown = useSignal(false)
  const waiting = useWaiting()
  const [id, hint, reason] = [useId(), useId(), useId()]
  const submit = async (event: Event) => {
    event.preventDefault()
    if ([...password.value].length < shortest) return waiting.fail(signInWords.newPassword.short)
    await waiting.run(() => write(password.value))
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {email && <input hidden type="text" autocomplete="username" value={email} readOnly />}
      <div class="field">
        <label htmlFor={id}>{signInWords.newPassword.label}</label>
        <PasswordInput
          attributes={{ id, 'aria-invalid': waiting.failure !== '', 'aria-describedby': `${hint} ${reason}` }}
          isShown={isShown.value}
          value={password.value}
          onType={(typed) => {
            password.value = typed
          }}
        />
      </div>
      <p id={hint} class="quiet small">
        {signInWords.newPassword.hint}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={isShown.value}
          onChange={({ currentTarget }) => {
            isShown.value = currentTarget.checked
          }}
        />
        <span>{signInWords.newPassword.show}</span>
      </label>
      <FailureLine id={reason}>{waiting.failure}</FailureLine>
      <button class={isPrimary ? 'primary' : ''} type="submit" aria-disabled={waiting.isBusy}>
        {waiting.isBusy ? words.frame.underWay : label}
      </button>
    </form>
  )
}
