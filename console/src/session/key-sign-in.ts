import { UnauthorizedError } from '@taskwright/client'
import { failureSentence } from '../act/failures.ts'
import type { Place } from '../act/storage.ts'
import { words } from '../words.ts'
import { forgetKey, keepKey, keptKey, onKeyForgotten } from './kept-key.ts'
import { begin, type Credential, isCurrent, isSigningIn, leave, leaveForGood, signInReason } from './session.ts'

let latest: { key: string; credential: Credential } | undefined

/** Signs in with an API key; on failure, `signInReason` has the reason. */
export async function signInWithKey(key: string, place: Place): Promise<void> {
  isSigningIn.value = true
  signInReason.value = ''
  const credential: Credential = {
    by: 'key',
    client: { apiKey: key },
    keep() {
      keepKey(key, place)
      latest = { key, credential }
    },
    forget: () => forgetKey(key),
    refused: words.session.refused,
  }
  try {
    await begin(credential)
  } catch (error) {
    if (error instanceof UnauthorizedError) forgetKey(key)
    signInReason.value = error instanceof TypeError ? words.session.noKey : failureSentence(error)
  } finally {
    isSigningIn.value = false
  }
}

/** Whether this page signed in with a key before. */
export const usedKey = (): boolean => latest !== undefined || keptKey() !== undefined

/** Signs in with a stored key. @returns whether there is one */
export async function resumeWithKey(): Promise<boolean> {
  const kept = keptKey()
  if (kept) await signInWithKey(kept.key, kept.place)
  return kept !== undefined
}

/**
 * Changes to another key of the same member and stores it in place of the current one.
 * @returns whether the server accepted it
 */
export async function goOnWith(key: string): Promise<boolean> {
  await signInWithKey(key, keptKey()?.place ?? 'tab')
  return latest?.key === key && isCurrent(latest.credential)
}

/** Forgets the key, also in other tabs that use this device's key. */
export function signOutOfKey(reason = ''): void {
  forgetKey()
  leaveForGood(reason)
}

/** Signs out when another tab deletes the key of this device. */
export function followKeyOfOtherTabs(): void {
  onKeyForgotten((key) => {
    if (key === latest?.key && isCurrent(latest.credential)) leave('')
  })
}
