import { useEffect } from 'preact/hooks'
import { signInReason } from '../session/session.ts'
import { FailureLine } from './failure-line.tsx'
import { passkeyFromList, passkeysWork, signInWithPasskey, stopPasskeys, whyNoPasskeys } from './passkeys.ts'
import { PasswordForm } from './password-form.tsx'
import { Providers } from './providers.tsx'
import { signInWords } from './sign-in-words.ts'
import { useWaiting } from './waiting.ts'
import type { Ways } from './ways.ts'

interface WaysInProps {
  of: Ways
  /** an invitation that a provider's account may accept */
  invitation?: string
  onDone: () => Promise<unknown>
  onForgot?: (email: string) => void
}

/** The ways to sign in as a person: passkey, providers, password. */
export function WaysIn({ of: { ways, providers, mail }, invitation, onDone, onForgot }: WaysInProps) {
  const waiting = useWaiting()
  const hasPasskeys = ways.includes('passkey')
  const hasPasswords = ways.includes('password')
  const offer = async () => {
    if (!hasPasskeys || !hasPasswords) return
    const prove = await passkeyFromList()
    if (!prove) return
    const done = await waiting.run(async () => {
      await prove()
      await onDone()
    })
    if (!done) void offer()
  }
  useEffect(() => {
    void offer()
    return stopPasskeys
  }, [])
  const usePasskey = async () => {
    signInReason.value = ''
    const done = await waiting.run(async () => {
      await signInWithPasskey()
      await onDone()
    })
    if (!done) void offer()
  }
  return (
    <>
      <FailureLine>{waiting.failure || signInReason.value}</FailureLine>
      {hasPasskeys && passkeysWork() && (
        <button type="button" class="primary" aria-disabled={waiting.isBusy} onClick={() => void usePasskey()}>
          {signInWords.signIn.passkey}
        </button>
      )}
      {hasPasskeys && !passkeysWork() && <p class="quiet small">{whyNoPasskeys()}</p>}
      <Providers of={providers} invitation={invitation} onFailure={waiting.fail} />
      {hasPasswords && (hasPasskeys || providers.length > 0) && <p class="or">{signInWords.signIn.or}</p>}
      {hasPasswords && (
        <PasswordForm
          isFirst={!(hasPasskeys && passkeysWork())}
          onDone={onDone}
          onStart={() => {
            signInReason.value = ''
            waiting.fail('')
          }}
          {...(mail && onForgot && { onForgot })}
        />
      )}
    </>
  )
}
