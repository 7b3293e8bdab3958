const name = 'taskwright.key'

/** Where a key is kept: until the tab closes, or on this device until somebody signs out. */
export type Place = 'tab' | 'device'

const stores = { tab: () => sessionStorage, device: () => localStorage }

/** The key that was kept, of the tab before that of the device. */
export function keptKey(): { key: string; place: Place } | undefined {
  for (const place of ['tab', 'device'] as const) {
    const key = read(place)
    if (key !== null) return { key, place }
  }
  return undefined
}

/** Keeps a key. What other tabs keep on this device stays, where this one is kept for its tab alone. */
export function keepKey(key: string, place: Place): void {
  try {
    stores[place]().setItem(name, key)
  } catch {
    // storage may be forbidden: then the key lives as long as the page
  }
  if (place === 'device') remove('tab')
}

/** Forgets the key in every place. @param only where it is this one, and not what another tab keeps */
export function forgetKey(only?: string): void {
  for (const place of ['tab', 'device'] as const) if (only === undefined || read(place) === only) remove(place)
}

/** Tells when another tab forgets a key that was kept on this device. */
export function onKeyForgotten(listener: (key: string) => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === name && oldValue !== null && newValue === null) listener(oldValue)
  })
}

function remove(place: Place): void {
  try {
    stores[place]().removeItem(name)
  } catch {
    // nothing was kept where storage is forbidden
  }
}

function read(place: Place): string | null {
  try {
    return stores[place]().getItem(name)
  } catch {
    return null
  }
}
