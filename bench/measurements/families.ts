import { again } from './again.ts'
import { compression } from './compression.ts'
import { crowd } from './crowd.ts'
import type { Family } from './family.ts'
import { feed } from './feed.ts'
import { neighbours } from './neighbours.ts'
import { besideFew, entries, offsetList, oneTask } from './others.ts'
import { besideFirst, besideOthers, filtered, randomPlaces, severalFilters } from './pages.ts'
import { screens } from './screens.ts'
import { streams } from './streams.ts'
import { timeEntries } from './time-entries.ts'
import { webhooks } from './webhooks.ts'
import { everything, words } from './words.ts'

const quick = (name: string, rows: Family['rows']): Family => ({ name, inQuick: true, rows })
const full = (name: string, rows: Family['rows']): Family => ({ name, inQuick: false, rows })

const alone = (family: Family): Family => ({ ...family, alone: true })

/** needs the second database */
const besideFewName = 'beside few'
/** measured last, when nothing else runs */
const startName = 'start'

const families: readonly Family[] = [
  quick('page', besideOthers),
  full('random places', randomPlaces),
  full('asked again', again),
  quick('members', besideFirst),
  full('filters', filtered),
  full('several filters', severalFilters),
  full('time entries', timeEntries),
  ...words,
  ...everything,
  quick('one task', oneTask),
  alone(quick('POST', entries)),
  quick('offset list', offsetList),
  full(besideFewName, besideFew),
  alone(quick('feed', feed)),
  quick('screens', screens),
  quick('compression', compression),
  alone(full('streams', streams)),
  alone(full('webhooks', webhooks)),
  alone(full('neighbours', neighbours)),
  alone(full('crowd', crowd)),
]

/** What is measured in a run. */
interface Wanted {
  families: Family[]
  /** whether one of them compares with the second database */
  besideFew: boolean
  /** whether the start is measured after them */
  start: boolean
}

/**
 * The families with this part in their names.
 * @throws Error where there are none
 */
export function familiesLike(part: string, isQuick: boolean): Wanted {
  const found = families.filter(({ name, inQuick }) => name.includes(part) && (inQuick || !isQuick))
  const start = !isQuick && startName.includes(part)
  if (found.length > 0 || start) {
    return { families: found, besideFew: found.some(({ name }) => name === besideFewName), start }
  }
  const names = [...families.map(({ name }) => name), startName]
  throw new Error(`No family is named like ${part}; there are:\n  ${names.join('\n  ')}`)
}
