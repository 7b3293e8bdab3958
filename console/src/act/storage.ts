import { words } from '../words.ts'
import { tell } from './notices.ts'

/** Where the browser stores a value: until the tab closes, or on this device. */
export type Place = 'tab' | 'device'

const stores = { tab: () => sessionStorage, device: () => localStorage }

// values that the browser refused to store, because storage is forbidden or full: they live as long as the page
const unkept = { tab: new Map<string, string>(), device: new Map<string, string>() }

/** Returns the value stored under a name. */
export function read(place: Place, name: string): string | undefined {
  const own = unkept[place].get(name)
  if (own !== undefined) return own
  try {
    return stores[place]().getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a value under a name; undefined deletes it. The first time that the browser refuses, a notice says so. */
export function keep(place: Place, name: string, text: string | undefined): void {
  unkept[place].delete(name)
  try {
    if (text === undefined) stores[place]().removeItem(name)
    else stores[place]().setItem(name, text)
  } catch {
    if (text === undefined) return
    unkept[place].set(name, text)
    if (!isTold) tell(words.storage.notKept, { isFailure: true })
    isTold = true
  }
}

let isTold = false

/** Deletes all values whose names start with this. */
export function forgetAll(place: Place, start: string): void {
  const names = [...unkept[place].keys()]
  try {
    names.push(...Object.keys(stores[place]()))
  } catch {
    // nothing is stored
  }
  for (const name of names) if (name.startsWith(start)) keep(place, name, undefined)
}

/** Makes the browser ask before the page closes with unstored values of these names. */
export function askBeforeLoss(ofTab: (name: string) => boolean): void {
  addEventListener('beforeunload', (event) => {
    if ([...unkept.tab.keys()].some(ofTab)) event.preventDefault()
  })
}
