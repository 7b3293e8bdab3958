import { keep, type Place, read } from '../act/storage.ts'
import { serverUrl } from '../router/server-url.ts'

// pages of servers below several paths share what the browser keeps
const name = `taskwright.key${serverUrl.pathname.slice(0, -1)}`
const places = ['tab', 'device'] as const

/** The key that was kept, of the tab before that of the device. */
export function keptKey(): { key: string; place: Place } | undefined {
  for (const place of places) {
    const key = read(place, name)
    if (key !== undefined) return { key, place }
  }
  return undefined
}

/** Keeps a key. What other tabs keep on this device stays, where this one is kept for its tab alone. */
export function keepKey(key: string, place: Place): void {
  keep(place, name, key)
  if (place === 'device') keep('tab', name, undefined)
}

/** Forgets the key in every place. @param only where it is this one, and not what another tab keeps */
export function forgetKey(only?: string): void {
  for (const place of places) if (only === undefined || read(place, name) === only) keep(place, name, undefined)
}

/** Tells when another tab forgets a key that was kept on this device. */
export function onKeyForgotten(listener: (key: string) => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === name && oldValue !== null && newValue === null) listener(oldValue)
  })
}
