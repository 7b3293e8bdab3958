import { keep, type Place, read } from '../act/storage.ts'
import { serverUrl } from '../router/server-url.ts'

// servers on several paths of one host share the browser's storage
const name = `taskwright.key${serverUrl.pathname.slice(0, -1)}`
const places = ['tab', 'device'] as const

/** The stored key; the tab's key comes before the device's. */
export function keptKey(): { key: string; place: Place } | undefined {
  for (const place of places) {
    const key = read(place, name)
    if (key !== undefined) return { key, place }
  }
  return undefined
}

/** Stores a key. A key that is stored for this tab only does not replace the device's key, which other tabs use. */
export function keepKey(key: string, place: Place): void {
  keep(place, name, key)
  if (place === 'device') keep('tab', name, undefined)
}

/** Deletes the stored key. @param only deletes only this key, because another tab may have stored another one */
export function forgetKey(only?: string): void {
  for (const place of places) if (only === undefined || read(place, name) === only) keep(place, name, undefined)
}

/** Calls the listener when another tab deletes the key of this device. */
export function onKeyForgotten(listener: (key: string) => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === name && oldValue !== null && newValue === null) listener(oldValue)
  })
}
