import { useSignal } from '@preact/signals'
import { act } from '../../act/act.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox } from '../../parts/form.tsx'
import { PasswordInput } from '../../parts/password-input.tsx'
import { ask } from '../../session/ask.ts'
import type { Account } from '../../session/person.ts'
import { signInWords } from '../../sign-in/sign-in-words.ts'

interface PasswordProps {
  person: Account['person']
  mayChange: boolean
  onChange: () => void
}

/** The person's password: set, change, remove. */
export function Password({ person, mayChange, onChange }: PasswordProps) {
  const open = useSignal<'change' | 'remove' | undefined>(undefined)
  const close = () => {
    open.value = undefined
  }
  return (
    <section aria-labelledby="account-password">
      <h2 id="account-password">{signInWords.account.password}</h2>
      <p>{person.hasPassword ? signInWords.account.hasPassword : signInWords.account.hasNoPassword}</p>
      {person.email === null && <p class="quiet small">{signInWords.account.noPasswordWithoutEmail}</p>}
      <div class="buttons">
        {mayChange && person.email !== null && (
          <button
            type="button"
            onClick={() => {
              open.value = 'change'
            }}
          >
            {person.hasPassword ? signInWords.account.changePassword : signInWords.account.setPassword}
          </button>
        )}
        {person.hasPassword && (
          <button
            type="button"
            class="dangerous"
            onClick={() => {
              open.value = 'remove'
            }}
          >
            {signInWords.account.removePassword}
          </button>
        )}
      </div>
      {open.value === 'change' && <ChangePassword person={person} onClose={close} onDone={onChange} />}
      {open.value === 'remove' && (
        <Confirm
          isDangerous
          title={signInWords.account.removeTitle(signInWords.account.password)}
          submit={signInWords.account.removePassword}
          write={() => ask('DELETE', '/me/password')}
          said={signInWords.account.passwordRemoved}
          onClose={close}
          onDone={onChange}
        >
          <p>{signInWords.account.removePasswordLead}</p>
        </Confirm>
      )}
    </section>
  )
}

interface ChangePasswordProps {
  person: Account['person']
  onClose: () => void
  onDone: () => void
}

// no useForm: a draft would store the password
function ChangePassword({ person: { hasPassword, email }, onClose, onDone }: ChangePasswordProps) {
  const values = useSignal({ currentPassword: '', password: '' })
  const isShown = useSignal(false)
  const isBusy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const title = hasPassword ? signInWords.account.changePassword : signInWords.account.setPassword
  const submit = async () => {
    isBusy.value = true
    const { currentPassword, password } = values.value
    const body = hasPassword ? { password, currentPassword } : { password }
    const outcome = await act(() => ask('PATCH', '/me/password', body), {
      isQuiet: true,
      said: hasPassword ? signInWords.account.passwordChanged : signInWords.account.passwordSet,
    })
    isBusy.value = false
    error.value = outcome.done ? undefined : outcome.error
    if (!outcome.done) return
    onClose()
    onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <FormBox
        {...{ error: error.value, isBusy: isBusy.value, submit: title }}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        {email !== null && <input hidden type="text" autocomplete="username" value={email} readOnly />}
        {hasPassword && (
          <Field name="currentPassword" label={signInWords.account.currentPassword}>
            {(attributes) => (
              <input
                {...attributes}
                type="password"
                autocomplete="current-password"
                value={values.value.currentPassword}
                onInput={({ currentTarget }) => {
                  values.value = { ...values.peek(), currentPassword: currentTarget.value }
                }}
              />
            )}
          </Field>
        )}
        <Field name="password" label={signInWords.newPassword.label} hint={signInWords.newPassword.hint}>
          {(attributes) => (
            <PasswordInput
              {...{ attributes }}
              isShown={isShown.value}
              value={values.value.password}
              onType={(password) => {
                values.value = { ...values.peek(), password }
              }}
            />
          )}
        </Field>
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
      </FormBox>
    </Dialog>
  )
}
