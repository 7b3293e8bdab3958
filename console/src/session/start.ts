import { tell } from '../act/notices.ts'
import { arrivalError } from './arrival.ts'
import { keptKey } from './kept-key.ts'
import { isAwaited } from './kept-session.ts'
import { followKeyOfOtherTabs, resumeWithKey, signOutOfKey } from './key-sign-in.ts'
import { followPersonOfOtherTabs, resumeSession, signOutPerson } from './person.ts'
import { session, signInReason } from './session.ts'

/** Signs in with what this browser stores: a key of this tab, a session, or a key of this device. */
export async function resume(): Promise<void> {
  if (keptKey()?.place === 'tab' && !isAwaited()) await resumeWithKey()
  else if (!(await resumeSession())) await resumeWithKey()
  const code = arrivalError.value
  arrivalError.value = ''
  if (code === '') return
  const { signInWords } = await import('../sign-in/sign-in-words.ts')
  const { errors, otherError } = signInWords.signIn
  const failure = Object.entries(errors).find(([each]) => each === code)?.[1] ?? otherError(code)
  if (session.value === null) signInReason.value = failure
  else tell(failure, { isFailure: true })
}

/** Signs out as the user signed in. */
export function signOut(): void {
  if (session.value?.by === 'session') void signOutPerson()
  else signOutOfKey()
}

/** Follows what other tabs do with the key and the session that this tab uses. */
export function followOtherTabs(): void {
  followKeyOfOtherTabs()
  followPersonOfOtherTabs()
}
