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

/** Keeps a key in one place, and nowhere else. */
export function keepKey(key: string, place: Place): void {
  forgetKey()
  try {
    stores[place]().setItem(name, key)
  } catch {
    // storage may be forbidden: then the key lives as long as the page
  }
}

/** Forgets the key in every place. */
export function forgetKey(): void {
  for (const store of Object.values(stores)) {
    try {
      store().removeItem(name)
    } catch {
      // nothing was kept where storage is forbidden
    }
  }
}

function read(place: Place): string | null {
  try {
    return stores[place]().getItem(name)
  } catch {
    return null
  }
}
