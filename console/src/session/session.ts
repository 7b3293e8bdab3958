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

/** Who is signed in, and the client that speaks for them. */
interface Session {
  tw: Taskwright
  me: Me
  /** behind which event what is shown was read */
  position: number
  /** what ran for them then; see live/timer.ts */
  timer: RunningTime | null
  /** what they may do in the projects that they were added to, by project; see session/may.ts */
  roles: ReadonlyMap<string, GrantedRole['role']>
}

/** The session, once there is one. Nothing else of the page knows how it came to be. */
export const session = signal<Session | null>(null)

/** Does something for as long as somebody is signed in, and anew for whoever is next. @param begin returns what ends it */
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

/** Whether a key is being tried. */
export const isSigningIn = signal(false)

/** Why somebody has to sign in (again), as a sentence. */
export const signInReason = signal('')

/** The client of whoever is signed in. @throws when nobody is: views are shown to those who are only */
export function tw(): Taskwright {
  return signedIn().tw
}

/** Who is signed in. @throws when nobody is */
export function me(): Me {
  return signedIn().me
}

// what this page has read is for nobody else
let latestMember: string | undefined

/** Signs in by an API key; what is wrong with it is told by `signInReason`. */
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

/** Reads who somebody is, what they may do, what runs for them, and where the events end, in one call. */
async function readMe(client: Taskwright) {
  const { eventsHead, timer, projectRoles, ...me } = await client.me.get({ include })
  const roles = new Map(projectRoles.map(({ projectId, role }) => [projectId, role]))
  return { eventsHead, timer, me, roles }
}

const include = ['timer', 'eventsHead', 'projectRoles'] as const

/** Goes on with a key that was kept, if one was. */
export async function resume(): Promise<void> {
  const kept = keptKey()
  if (kept) await signIn(kept.key, kept.place)
}

/** Goes on with another key of the same member, kept where the one before is. @returns whether it was taken */
export async function goOnWith(key: string): Promise<boolean> {
  await signIn(key, keptKey()?.place ?? 'tab')
  return current === key
}

/** Signs out, in all tabs that have the key of this device. */
export function signOut(reason = ''): void {
  forgetKey()
  leave(reason)
}

/** Follows other tabs: who signs out in one of them is gone from this one too. */
export function followOtherTabs(): void {
  onKeyForgotten((key) => {
    if (key === current) leave('')
  })
}

/** Back to the first page, with a sentence that says why. */
function leave(reason: string): void {
  forgetKey(current)
  current = undefined
  clearNotices()
  session.value = null
  signInReason.value = reason
}

/** Takes over what changed about the one who is signed in. */
export function noteMe({ roles, ...change }: Partial<Me & Pick<Session, 'roles'>>): void {
  const now = session.value
  if (now) session.value = { ...now, me: { ...now.me, ...change }, roles: roles ?? now.roles }
}

/** Reads who is signed in, and what they may do, anew. */
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

/** Sees of each answer whether the server can be reached, and whether it still takes the key. */
function watchedFetch(key: string) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const answer = await fetch(url, init)
      noteAnswer(url, answer)
      if (answer.ok && init.method !== 'GET') noteOwnWrite(answer.headers.get('etag'))
      // a key that is only being tried leads nobody away, nor does a refusal of something in front of the server
      if (answer.status === 401 && answer.headers.has('x-error-code') && key === current)
        queueMicrotask(() => key === current && leave(words.session.refused))
      return answer
    } catch (error) {
      if (!init.signal?.aborted) noteNoAnswer()
      throw error
    }
  }
}
