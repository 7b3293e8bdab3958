import { keep, type Place, read } from '../act/storage.ts'
import { serverUrl } from '../router/server-url.ts'

// scripts cannot read the cookie, so this says that there is one; servers on several paths of one host share the storage
const path = serverUrl.pathname.slice(0, -1)
const [marker, organization] = [`taskwright.session${path}`, `taskwright.organization${path}`]

/** Of a tab that leaves for a provider and may come back with a session. */
const awaited = 'awaited'

/** Whether this browser has a session, as far as the page knows. */
export const hasSession = (): boolean => isAwaited() || read('device', marker) !== undefined

/** Whether this tab left for a provider to sign in. */
export const isAwaited = (): boolean => read('tab', marker) === awaited

/** Notes that this tab leaves for a provider. */
export const awaitSession = (): void => keep('tab', marker, awaited)

/** Notes that it came back without one. */
export const stopAwaiting = (): void => keep('tab', marker, undefined)

let mine: string | undefined

/** Notes that this browser has a session. @param isNew another person may have signed in: other tabs load again */
export function noteSession(isNew: boolean): void {
  const known = read('device', marker)
  mine = isNew || isAwaited() || known === undefined ? crypto.getRandomValues(new Uint32Array(2)).join('') : known
  keep('tab', marker, undefined)
  if (mine !== known) keep('device', marker, mine)
}

/** Written for a moment when the person signs out: other tabs then delete their text, too. */
const signedOut = 'signed out'

/** Notes that this browser has no session any more. @param isWished the person signed out */
export function forgetSession({ isWished = false } = {}): void {
  if (isWished) keep('device', marker, signedOut)
  for (const place of places) keep(place, marker, undefined)
  mine = undefined
}

/** The organization of this tab, or the one that was last open on this device. */
export const keptOrganizations = (): readonly (string | undefined)[] => places.map((place) => read(place, organization))

/** Remembers the organization, for this tab and for new ones. */
export function keepOrganization(id: string): void {
  for (const place of places) keep(place, organization, id)
}

const places: readonly Place[] = ['tab', 'device']

interface SessionListeners {
  /** the person signed out */
  onSignOut: () => void
  /** the server ended the session */
  onEnd: () => void
  /** somebody signed in */
  onOther: () => void
}

/** Calls the listeners when the session of this tab changes in another tab. */
export function followSessionOfOtherTabs({ onSignOut, onEnd, onOther }: SessionListeners): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== marker || mine === undefined || newValue === mine) return
    if (newValue === signedOut) onSignOut()
    else if (newValue === null) onEnd()
    else onOther()
  })
}
