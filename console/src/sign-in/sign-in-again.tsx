import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { ask } from '../session/ask.ts'
import { account, readAccount } from '../session/person.ts'
import { me, tw } from '../session/session.ts'
import { signInAgainRequest } from '../session/sign-in-again.ts'
import { words } from '../words.ts'
import { FailureLine } from './failure-line.tsx'
import { passkeysWork, signInWithPasskey } from './passkeys.ts'
import { Providers } from './providers.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'
import { useWays } from './ways.ts'

/** Asks the user to confirm that it is them, before an act that cannot be undone. */
export default function SignInAgain() {
  const { ways } = useWays()
  const waiting = useWaiting()
  const password = useSignal('')
  const person = account.value?.person
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector<HTMLElement>('button, input:not([hidden])')?.focus(), [ways])
  const end = (done: boolean) => signInAgainRequest.peek()?.(done)
  const confirm = async (prove: () => Promise<unknown>) => {
    const done = await waiting.run(async () => {
      await prove()
      // somebody else's passkey signs in somebody else
      const { member } = await tw().me.get()
      if (member.id !== me().member.id) return location.reload()
      await readAccount()
    })
    if (done) end(true)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (password.value === '') return waiting.fail(signInWords.signIn.noPassword)
    void confirm(() => ask('POST', '/auth/password', { email: person?.email, password: password.value }))
  }
  const canPasskey = ways?.ways.includes('passkey') && passkeysWork() && (person?.passkeys ?? 0) > 0
  const canPassword = ways?.ways.includes('password') && person?.hasPassword && person.email !== null
  const canLeave = ways?.ways.includes('oidc') && (person?.identities ?? 0) > 0
  return (
    <Dialog title={signInWords.signInAgain.title} onClose={() => end(false)}>
      <div ref={box} class="form">
        <p>
          {canPasskey || canPassword || canLeave || !ways
            ? signInWords.signInAgain.lead
            : signInWords.signInAgain.noWay}
        </p>
        {canPasskey && (
          <button type="button" class="primary" onClick={() => void confirm(() => signInWithPasskey())}>
            {signInWords.signInAgain.passkey}
          </button>
        )}
        {canLeave && (
          <>
            <Providers of={ways?.providers ?? []} onFailure={waiting.fail} />
            <p class="quiet small">{signInWords.signInAgain.leaves}</p>
          </>
        )}
        {canPassword && (
          <form class="form" onSubmit={submit} noValidate>
            <input hidden type="text" autocomplete="username" value={person?.email ?? ''} readOnly />
            <label class="field">
              <span>{signInWords.signInAgain.password(person?.email ?? '')}</span>
              <input
                type="password"
                autocomplete="current-password"
                value={password.value}
                onInput={({ currentTarget }) => {
                  password.value = currentTarget.value
                }}
              />
            </label>
            <div class="buttons">
              <button type="submit" class={canPasskey ? '' : 'primary'} aria-disabled={waiting.isBusy}>
                {waiting.isBusy ? words.session.under : signInWords.signInAgain.submit}
              </button>
              <button type="button" onClick={() => end(false)}>
                {words.dialog.cancel}
              </button>
            </div>
          </form>
        )}
        <FailureLine>{waiting.failure}</FailureLine>
        {!canPassword && (
          <div class="buttons">
            <button type="button" onClick={() => end(false)}>
              {words.dialog.cancel}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
