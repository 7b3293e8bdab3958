import { combined } from './combinations.ts'
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

/** needs the second database */
const besideFewName = 'beside few'
/** measured last, when nothing else runs */
const startName = 'start'

const families: readonly Family[] = [
  quick('page', besideOthers),
  full('random places', randomPlaces),
  quick('members', besideFirst),
  full('filters', filtered),
  full('several filters', severalFilters),
  full('combinations of filters', combined),
  full('time entries', timeEntries),
  ...words,
  ...everything,
  quick('one task', oneTask),
  quick('POST', entries),
  quick('offset list', offsetList),
  full(besideFewName, besideFew),
  quick('feed', feed),
  quick('screens', screens),
  quick('compression', compression),
  full('streams', streams),
  full('webhooks', webhooks),
  full('neighbours', neighbours),
  full('crowd', crowd),
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
