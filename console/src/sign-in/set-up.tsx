import { useSignal } from '@preact/signals'
import { Failure } from '../parts/failure.tsx'
import { ask } from '../session/ask.ts'
import { account } from '../session/person.ts'
import { Box } from './box.tsx'
import { FailureLine } from './failure-line.tsx'
import { NewPassword } from './new-password.tsx'
import { addPasskey, deviceName, passkeysWork, whyNoPasskeys } from './passkeys.ts'
import { Providers } from './providers.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'
import { useWays } from './ways.ts'

/** Offers a person who signed in by a link a way to sign in next time. They can skip it. */
export function SetUp({ onDone }: { onDone: () => Promise<unknown> }) {
  const { ways, error, read } = useWays()
  const waiting = useWaiting()
  const wantsPassword = useSignal(false)
  const person = account.value?.person
  const canPasskey = (ways?.ways.includes('passkey') ?? false) && passkeysWork()
  // a password goes with an address
  const hasPasswords = (ways?.ways.includes('password') ?? false) && person?.email != null
  const setUpPasskey = async () => {
    if (await waiting.run(() => addPasskey(deviceName()))) await onDone()
  }
  const setPassword = async (password: string) => {
    await ask('PATCH', '/me/password', { password })
    await onDone()
  }
  return (
    <Box
      key={String(ways !== undefined)}
      title={signInWords.welcome.title(person?.name ?? '')}
      lead={signInWords.welcome.lead}
    >
      {error !== undefined && <Failure error={error} onRetry={read} />}
      <FailureLine>{waiting.failure}</FailureLine>
      {canPasskey && (
        <>
          <button type="button" class="primary" aria-disabled={waiting.isBusy} onClick={() => void setUpPasskey()}>
            {signInWords.welcome.passkey}
          </button>
          <p class="quiet small">{signInWords.welcome.passkeyHint}</p>
        </>
      )}
      {ways?.ways.includes('passkey') && !canPasskey && <p class="quiet small">{whyNoPasskeys()}</p>}
      {ways?.ways.includes('oidc') && (
        <Providers of={ways.providers} links label={signInWords.welcome.linked} onFailure={waiting.fail} />
      )}
      {hasPasswords && canPasskey && !wantsPassword.value && (
        <button
          type="button"
          onClick={() => {
            wantsPassword.value = true
          }}
        >
          {signInWords.welcome.passwordInstead}
        </button>
      )}
      {hasPasswords && (wantsPassword.value || !canPasskey) && (
        <NewPassword
          submit={signInWords.welcome.password}
          email={person?.email}
          isPrimary={!canPasskey}
          write={setPassword}
        />
      )}
      <hr />
      <button type="button" class="plain link" onClick={() => void onDone()}>
        {signInWords.welcome.skip}
      </button>
      <p class="quiet small">{signInWords.welcome.consequence}</p>
    </Box>
  )
}
