import { effect, signal } from '@preact/signals'
import { type ConnectionOptions, type GrantedRole, type Me, type RunningTime, Taskwright } from '@taskwright/client'
import { forgetDrafts } from '../act/forget-drafts.ts'
import { clearNotices } from '../act/notices.ts'
import { noteOwnWrite } from '../act/unless-changed.ts'
import { noteAnswer, noteNoAnswer } from '../live/reachable.ts'
import { serverUrl } from '../router/server-url.ts'

/** The signed-in member and their client. */
interface Session {
  tw: Taskwright
  by: Credential['by']
  me: Me
  /** the sequence of the last event before the first read */
  position: number
  /** the running timer at the first read; see live/timer.ts */
  timer: RunningTime | null
  /** roles in the projects to which the member was added, by project; see session/may.ts */
  roles: ReadonlyMap<string, GrantedRole['role']>
}

/** How this page proves to the server who the user is: by an API key, or by the session of a person. */
export interface Credential {
  by: 'key' | 'session'
  /** the options of the client for it */
  client: Pick<ConnectionOptions, 'apiKey' | 'auth' | 'headers'>
  /** stores it, once the server has accepted it */
  keep(): void
  /** removes it from the browser */
  forget(): void
  /** the sentence for a server that no longer accepts it */
  refused: string
  /** called when the user is no longer an active member of the organization */
  onNotMember?(): void
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

/** Whether a key or a session is being checked. */
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

/** Shows the page as the member whom the credential identifies. @throws if the server refuses it */
export async function begin(credential: Credential): Promise<void> {
  const fetch = watchedFetch(credential)
  const client = new Taskwright({ baseUrl: serverUrl.href, retries: 2, fetch, ...credential.client })
  const { eventsHead, timer, ...found } = await readMe(client)
  credential.keep()
  const { id } = found.me.member
  if (latestMember !== undefined && latestMember !== id) return location.reload()
  latestMember = id
  current = credential
  session.value = { tw: client, by: credential.by, ...found, position: eventsHead.latest, timer }
}

/** Reads the member, their roles, their timer and the position of the last event in one call. */
async function readMe(client: Taskwright) {
  const { eventsHead, timer, projectRoles, ...me } = await client.me.get({ include })
  const roles = new Map(projectRoles.map(({ projectId, role }) => [projectId, role]))
  return { eventsHead, timer, me, roles }
}

const include = ['timer', 'eventsHead', 'projectRoles'] as const

/** Whether the page is signed in with this credential. */
export const isCurrent = (credential: Credential): boolean => credential === current

/** Returns to the sign-in page, with the reason. */
export function leave(reason: string): void {
  current?.forget()
  pause()
  signInReason.value = reason
}

/** Like `leave`, at the user's wish: unsaved text goes too, because another person may use this tab next. */
export function leaveForGood(reason = ''): void {
  const memberId = session.peek()?.me.member.id
  if (memberId !== undefined) forgetDrafts(memberId)
  leave(reason)
}

/** Shows nothing of the member any more, and keeps the credential in the browser. */
export function pause(): void {
  current = undefined
  clearNotices()
  session.value = null
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

let current: Credential | undefined

function signedIn(): Session {
  if (session.value === null) throw new Error('Nobody is signed in')
  return session.value
}

/** A fetch that records whether the server is reachable and whether it still accepts the credential. */
function watchedFetch(credential: Credential) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const answer = await fetch(url, init)
      noteAnswer(url, answer)
      if (answer.ok && init.method !== 'GET') noteOwnWrite(answer.headers.get('etag'))
      // ignore the 401 of a credential that is only being checked, of a wrong password, and of a proxy in front of the server
      const code = answer.headers.get('x-error-code')
      const ifCurrent = (then: () => void) => queueMicrotask(() => credential === current && then())
      if (answer.status === 401 && code === 'unauthorized') ifCurrent(() => leave(credential.refused))
      if (answer.status === 403 && code === 'not_a_member') ifCurrent(() => credential.onNotMember?.())
      return answer
    } catch (error) {
      if (!init.signal?.aborted) noteNoAnswer()
      throw error
    }
  }
}
