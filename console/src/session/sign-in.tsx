import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words.ts'
import { keptKey } from './kept-key.ts'
import { isSigningIn, resume, signIn, signInReason } from './session.ts'

/** The sign-in page: an API key, stored in the tab or, on request, on this device. */
export function SignIn() {
  const [key, setKey] = useState('')
  const [keeps, setKeeps] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isBusy = isSigningIn.value
  const hasKept = keptKey() !== undefined
  useLayoutEffect(() => {
    document.title = `${words.session.title} · ${words.name}`
    input.current?.focus()
  }, [])

  const submit = (event: Event) => {
    event.preventDefault()
    if (!isBusy && key.trim() !== '') void signIn(key.trim(), keeps ? 'device' : 'tab')
  }

  if (hasKept && isBusy)
    return (
      <p class="starting" role="status">
        {words.session.under}
      </p>
    )
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit} aria-describedby="sign-in-lead">
        <p class="wordmark">{words.name}</p>
        <h1>{words.session.title}</h1>
        <p id="sign-in-lead" class="quiet">
          {words.session.lead}
        </p>
        <label class="field">
          <span>{words.session.key}</span>
          <input
            ref={input}
            class="secret"
            name="key"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            required
            aria-invalid={signInReason.value !== ''}
            aria-describedby="sign-in-reason"
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={keeps} onChange={(event) => setKeeps(event.currentTarget.checked)} />
          <span>{words.session.keep}</span>
        </label>
        <p class="quiet small">{words.session.keepHint}</p>
        <p id="sign-in-reason" class="failure" role="alert">
          {signInReason.value}
        </p>
        <div class="buttons">
          <button class="primary" type="submit" aria-disabled={isBusy}>
            {isBusy ? words.session.under : words.session.submit}
          </button>
          {hasKept && (
            <button type="button" onClick={() => void resume()}>
              {words.session.again}
            </button>
          )}
        </div>
      </form>
    </main>
  )
}
