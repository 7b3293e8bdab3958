import { words } from '../words.ts'
import { tell } from './notices.ts'

/** Where the browser keeps something: until the tab closes, or on this device. */
export type Place = 'tab' | 'device'

const stores = { tab: () => sessionStorage, device: () => localStorage }

// what the browser did not take, as it is forbidden or full: it lives as long as the page
const unkept = { tab: new Map<string, string>(), device: new Map<string, string>() }

/** What is kept under a name. */
export function read(place: Place, name: string): string | undefined {
  const own = unkept[place].get(name)
  if (own !== undefined) return own
  try {
    return stores[place]().getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps something under a name; undefined forgets it. That the browser does not take it is told, once. */
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

/** Has the browser ask before the page goes with something of these names that it did not take. */
export function askBeforeLoss(ofTab: (name: string) => boolean): void {
  addEventListener('beforeunload', (event) => {
    if ([...unkept.tab.keys()].some(ofTab)) event.preventDefault()
  })
}
