import { tw } from '../../session/session.ts'
import { type Deleted, type Found, isAll, listed, takeIn, types } from './deleted.ts'

const allDays = 30
// how many days back is read at once where much was deleted
const steps = [1, 4, 12, allDays]
const largestPage = 100

/** What is found before anything was read. */
const nothingYet = (): Found => ({
  ...{ reading: Symbol('reading'), all: new Map(), from: Number.POSITIVE_INFINITY, days: 0 },
})

type IsEnough = (listed: readonly Deleted[]) => boolean

/** Reads the latest of what was deleted. Mostly one page of events holds all there is. */
export async function readLatest(isEnough: IsEnough, signal: AbortSignal): Promise<Found> {
  const found = nothingYet()
  const { data, pagination } = await tw().events.list(back(allDays), { signal })
  if (pagination.nextCursor !== null) return readBack(found, isEnough, signal)
  const all = new Map(found.all)
  for (const event of data) takeIn(all, event)
  return { ...found, all, from: 0, days: allDays }
}

/**
 * Reads further back, until enough is found or there is no more. Events come oldest first, so it goes back some days and from
 * there to where it was read before.
 */
export async function readBack(found: Found, isEnough: IsEnough, signal?: AbortSignal): Promise<Found> {
  let now = found
  while (!isAll(now) && !isEnough(listed(now))) now = await readStep(now, signal)
  return now
}

async function readStep(found: Found, signal: AbortSignal | undefined): Promise<Found> {
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
