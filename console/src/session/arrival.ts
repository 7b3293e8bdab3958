import { signal } from '@preact/signals'
import { go, hrefOf } from '../router/router.ts'
import { stopAwaiting } from './kept-session.ts'
import { pause } from './session.ts'

/** A link by which somebody opened the page. */
interface Arrival {
  by: 'welcome' | 'invitation' | 'reset'
  token: string
}

/** The link by which the page was opened, until it is used. */
export const arrival = signal<Arrival | undefined>(undefined)

/** The code of a sign-in that failed at a provider. */
export const arrivalError = signal('')

/** Takes the link's token out of the address and the history, and does so again for each link that is opened in this tab. */
export function followLinks(): void {
  take()
  addEventListener('hashchange', take)
}

function take(): void {
  const [, by, token = ''] = /^#([a-z-]+)=(.*)$/.exec(location.hash) ?? []
  if (by === undefined) return
  history.replaceState(null, '', location.pathname + location.search)
  if (by === 'device' || by === 'code') go(hrefOf('/device', { code: decoded(token) }), { replace: true })
  else if (by === 'sign-in-error') {
    stopAwaiting()
    arrivalError.value = token
  } else if (by === 'welcome' || by === 'invitation' || by === 'reset') {
    pause()
    arrival.value = { by, token }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
