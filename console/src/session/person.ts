import { signal } from '@preact/signals'
import { UnauthorizedError } from '@taskwright/client'
import { act } from '../act/act.ts'
import { failureSentence } from '../act/failures.ts'
import { hrefOf } from '../router/router.ts'
import { words } from '../words.ts'
import { ask } from './ask.ts'
import { forgetKey } from './kept-key.ts'
import {
  followSessionOfOtherTabs,
  forgetSession,
  hasSession,
  isAwaited,
  keepOrganization,
  keptOrganizations,
  noteSession,
} from './kept-session.ts'
import { begin, type Credential, isSigningIn, leave, leaveForGood, pause, session, signInReason } from './session.ts'

/** The signed-in person, with the organizations that they are a member of. */
export interface Account {
  person: {
    name: string
    email: string | null
    emailVerified: boolean
    passkeys: number
    hasPassword: boolean
    identities: number
  }
  signedInAt: string
  organizations: { id: string; name: string; role: 'owner' | 'admin' | 'member' }[]
}

/** The person of the session; undefined if nobody is signed in, or somebody with a key. */
export const account = signal<Account | undefined>(undefined)

/** Whether the person must choose an organization. The text says why, if there is a reason. */
export const choosing = signal<string | undefined>(undefined)

/** Reads the person again, for example after they added a passkey. */
export async function readAccount(): Promise<Account> {
  account.value = await ask<Account>('GET', '/auth/session')
  return account.value
}

/** Goes on as the person who just signed in. @param organizationId opens this one */
export async function enterAnew(organizationId?: string): Promise<void> {
  noteSession(true)
  forgetKey()
  await enter(organizationId)
}

/** Signs in with the session of this browser. @returns whether there may be one */
export async function resumeSession(): Promise<boolean> {
  if (!hasSession()) return false
  const wasAwaited = isAwaited()
  if (!(await enter())) signInReason.value ||= wasAwaited ? '' : words.session.ended
  return true
}

async function enter(wanted?: string): Promise<boolean> {
  isSigningIn.value = true
  signInReason.value = ''
  try {
    const { organizations } = await readAccount()
    const [only, other] = organizations
    const remembered = [wanted, ...keptOrganizations()].find((id) => organizations.some((each) => each.id === id))
    const chosen = remembered ?? (other === undefined ? only?.id : undefined)
    noteSession(false)
    if (chosen === undefined) choosing.value = organizations.length === 0 ? words.session.noOrganization : ''
    else await open(chosen)
    return true
  } catch (error) {
    if (error instanceof UnauthorizedError) forgetSession()
    else signInReason.value = failureSentence(error)
    return !(error instanceof UnauthorizedError)
  } finally {
    isSigningIn.value = false
  }
}

/** Opens an organization of the person in this tab. */
async function open(organizationId: string): Promise<void> {
  const credential: Credential = {
    by: 'session',
    client: { auth: 'session', headers: { 'x-organization': organizationId } },
    keep: () => keepOrganization(organizationId),
    forget: forgetSession,
    refused: words.session.ended,
    onNotMember: () => void excluded(),
  }
  await begin(credential)
  choosing.value = undefined
}

/** Chooses an organization on the page that asks for one. */
export async function choose(organizationId: string): Promise<void> {
  try {
    await open(organizationId)
  } catch (error) {
    choosing.value = failureSentence(error)
  }
}

/** Opens another organization in this tab. The page loads again, so nothing of the former one stays. */
export function switchTo(organizationId: string): void {
  keepOrganization(organizationId)
  location.assign(hrefOf('/'))
}

/** The member was deactivated or removed: their other organizations stay open to them. */
async function excluded(): Promise<void> {
  const name = session.peek()?.me.organization.name ?? ''
  pause()
  const found = await readAccount().catch(() => undefined)
  if (found === undefined) leave(words.session.notMember(name))
  else choosing.value = words.session.notMember(name)
}

/** Ends the session of this browser, or all sessions of the person. */
export async function signOutPerson({ everywhere = false } = {}): Promise<void> {
  const outcome = await act(() => ask('POST', '/auth/sign-out', everywhere ? { everywhere } : {}), {
    sentenceOf: (error) => words.session.stillIn(failureSentence(error)),
  })
  if (!outcome.done && !(outcome.error instanceof UnauthorizedError)) return
  leavePerson()
}

/** Forgets the person, who has signed out. */
export function leavePerson(): void {
  forgetSession({ isWished: true })
  forgetPerson()
}

function forgetPerson(): void {
  account.value = undefined
  choosing.value = undefined
  leaveForGood()
}

/** Signs out when another tab signs out, and loads the page again when another person signs in. */
export function followPersonOfOtherTabs(): void {
  followSessionOfOtherTabs({
    onSignOut: forgetPerson,
    onEnd: () => leave(words.session.ended),
    onOther: () => location.reload(),
  })
  // a page that comes back by the Back button may be of somebody who has signed out
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}
