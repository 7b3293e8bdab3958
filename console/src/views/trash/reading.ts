import { tw } from '../../session/session.ts'
import { isAll, listed, type TrashItem, type TrashState, takeIn, types } from './deleted.ts'

const allDays = 30
// days to read at once, so that many deletions do not delay the first page
const steps = [1, 4, 12, allDays]
const largestPage = 100

/** The state before the first read. */
const nothingYet = (): TrashState => ({
  ...{ reading: Symbol('reading'), all: new Map(), from: Number.POSITIVE_INFINITY, days: 0 },
})

type IsEnough = (listed: readonly TrashItem[]) => boolean

/** Reads the latest deleted items. Usually one page of events has them all. */
export async function readLatest(isEnough: IsEnough, signal: AbortSignal): Promise<TrashState> {
  const found = nothingYet()
  const { data, pagination } = await tw().events.list(back(allDays), { signal })
  if (pagination.nextCursor !== null) return readBack(found, isEnough, signal)
  const all = new Map(found.all)
  for (const event of data) takeIn(all, event)
  return { ...found, all, from: 0, days: allDays }
}

/**
 * Reads further back until there are enough items or no more events. Events come oldest first, so each step reads from some
 * days earlier up to the last start.
 */
export async function readBack(found: TrashState, isEnough: IsEnough, signal?: AbortSignal): Promise<TrashState> {
  let now = found
  while (!isAll(now) && !isEnough(listed(now))) now = await readStep(now, signal)
  return now
}

async function readStep(found: TrashState, signal: AbortSignal | undefined): Promise<TrashState> {
  const days = steps.find((step) => step > found.days) ?? allDays
  const all = new Map(found.all)
  let { from } = found
  for await (const event of tw().events.list(back(days), signal ? { signal } : {})) {
    if (event.sequence >= found.from) break
    from = Math.min(from, event.sequence)
    takeIn(all, event)
  }
  return { ...found, all, from, days }
}

const back = (days: number) => ({
  ...{ type: types, limit: largestPage, since: new Date(Date.now() - days * 86_400_000).toISOString() },
})
