import { effect, signal } from '@preact/signals'
import { type GrantedRole, type Me, type RunningTime, Taskwright, UnauthorizedError } from '@taskwright/client'
import { failureSentence } from '../act/failures.ts'
import { clearNotices } from '../act/notices.ts'
import type { Place } from '../act/storage.ts'
import { noteOwnWrite } from '../act/unless-changed.ts'
import { noteAnswer, noteNoAnswer } from '../live/reachable.ts'
import { serverUrl } from '../router/server-url.ts'
import { words } from '../words.ts'
import { forgetKey, keepKey, keptKey, onKeyForgotten } from './kept-key.ts'

/** The signed-in member and their client. */
interface Session {
  tw: Taskwright
  me: Me
  /** the sequence of the last event before the first read */
  position: number
  /** the running timer at the first read; see live/timer.ts */
  timer: RunningTime | null
  /** roles in the projects to which the member was added, by project; see session/may.ts */
  roles: ReadonlyMap<string, GrantedRole['role']>
}

/** The session, or null. Other code does not know how it started. */
export const session = signal<Session | null>(null)

/** Runs `begin` for each signed-in member, and its result when that session ends. */
export function whileSignedIn(begin: (now: Session) => () => void): void {
  let following: Taskwright | undefined
  let end: (() => void) | undefined
  effect(() => {
    const now = session.value
    if (now?.tw === following) return
    end?.()
    following = now?.tw
    end = now ? begin(now) : undefined
  })
}

/** Whether a key is being checked. */
export const isSigningIn = signal(false)

/** The reason for the sign-in page, as a sentence. */
export const signInReason = signal('')

/** The client of the signed-in member. @throws if nobody is signed in: only the shell's views may call it */
export function tw(): Taskwright {
  return signedIn().tw
}

/** The signed-in member. @throws if nobody is signed in */
export function me(): Me {
  return signedIn().me
}

// data that this page read must not reach another member
let latestMember: string | undefined

/** Signs in with an API key; on failure, `signInReason` has the reason. */
export async function signIn(key: string, place: Place): Promise<void> {
  isSigningIn.value = true
  signInReason.value = ''
  try {
    const client = new Taskwright({ baseUrl: serverUrl.href, apiKey: key, retries: 2, fetch: watchedFetch(key) })
    const { eventsHead, timer, ...found } = await readMe(client)
    keepKey(key, place)
    const { id } = found.me.member
    if (latestMember !== undefined && latestMember !== id) return location.reload()
    latestMember = id
    current = key
    session.value = { tw: client, ...found, position: eventsHead.latest, timer }
  } catch (error) {
    if (error instanceof UnauthorizedError) forgetKey(key)
    signInReason.value = error instanceof TypeError ? words.session.noKey : failureSentence(error)
  } finally {
    isSigningIn.value = false
  }
}

/** Reads the member, their roles, their timer and the position of the last event in one call. */
async function readMe(client: Taskwright) {
  const { eventsHead, timer, projectRoles, ...me } = await client.me.get({ include })
  const roles = new Map(projectRoles.map(({ projectId, role }) => [projectId, role]))
  return { eventsHead, timer, me, roles }
}

const include = ['timer', 'eventsHead', 'projectRoles'] as const

/** Signs in with a stored key, if there is one. */
export async function resume(): Promise<void> {
  const kept = keptKey()
  if (kept) await signIn(kept.key, kept.place)
}

/**
 * Changes to another key of the same member and stores it in place of the current one.
 * @returns whether the server accepted it
 */
export async function goOnWith(key: string): Promise<boolean> {
  await signIn(key, keptKey()?.place ?? 'tab')
  return current === key
}

/** Signs out, also in other tabs that use this device's key. */
export function signOut(reason = ''): void {
  forgetKey()
  leave(reason)
}

/** Signs out when another tab signs out. */
export function followOtherTabs(): void {
  onKeyForgotten((key) => {
    if (key === current) leave('')
  })
}

/** Returns to the sign-in page, with the reason. */
function leave(reason: string): void {
  forgetKey(current)
  current = undefined
  clearNotices()
  session.value = null
  signInReason.value = reason
}

/** Applies changes of the signed-in member. */
export function noteMe({ roles, ...change }: Partial<Me & Pick<Session, 'roles'>>): void {
  const now = session.value
  if (now) session.value = { ...now, me: { ...now.me, ...change }, roles: roles ?? now.roles }
}

/** Reads the signed-in member and their roles again. */
export async function readMeAnew(): Promise<void> {
  const client = session.value?.tw
  if (client === undefined) return
  const { me, roles } = await readMe(client)
  if (session.value?.tw === client) noteMe({ ...me, roles })
}

let current: string | undefined

function signedIn(): Session {
  if (session.value === null) throw new Error('Nobody is signed in')
  return session.value
}

/** A fetch that records whether the server is reachable and whether it still accepts the key. */
function watchedFetch(key: string) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const answer = await fetch(url, init)
      noteAnswer(url, answer)
      if (answer.ok && init.method !== 'GET') noteOwnWrite(answer.headers.get('etag'))
      // ignore the 401 of a key that is only being checked, and of a proxy in front of the server
      if (answer.status === 401 && answer.headers.has('x-error-code') && key === current)
        queueMicrotask(() => key === current && leave(words.session.refused))
      return answer
    } catch (error) {
      if (!init.signal?.aborted) noteNoAnswer()
      throw error
    }
  }
}
