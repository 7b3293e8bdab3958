import { useSignal } from '@preact/signals'
import { keptKey } from '../session/kept-key.ts'
import { resumeWithKey, signInWithKey } from '../session/key-sign-in.ts'
import { isSigningIn, signInReason } from '../session/session.ts'
import { words } from '../words.ts'
import { FailureLine } from './failure-line.tsx'

/** Signs in with an API key, stored in the tab or, on request, on this device. */
export function KeyForm() {
  const key = useSignal('')
  const keeps = useSignal(false)
  const isBusy = isSigningIn.value
  const submit = (event: Event) => {
    event.preventDefault()
    const typed = key.value.trim()
    if (!isBusy && typed !== '') void signInWithKey(typed, keeps.value ? 'device' : 'tab')
  }
  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>{words.session.key}</span>
        <input
          class="secret"
          name="key"
          value={key.value}
          onInput={({ currentTarget }) => {
            key.value = currentTarget.value
          }}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          aria-invalid={signInReason.value !== ''}
          aria-describedby="sign-in-reason"
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={keeps.value}
          onChange={({ currentTarget }) => {
            keeps.value = currentTarget.checked
          }}
        />
        <span>{words.session.keep}</span>
      </label>
      <p class="quiet small">{words.session.keepHint}</p>
      <FailureLine id="sign-in-reason">{signInReason.value}</FailureLine>
      <div class="buttons">
        <button class="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? words.session.under : words.session.submit}
        </button>
        {keptKey() !== undefined && (
          <button type="button" onClick={() => void resumeWithKey()}>
            {words.session.again}
          </button>
        )}
      </div>
    </form>
  )
}
