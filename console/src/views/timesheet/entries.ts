import type { Event, TimeEntry } from '@taskwright/client'
import { useMemo } from 'preact/hooks'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { isNewer, without } from '../../live/versions.ts'
import { dayAfter, dayIn, momentIn } from '../../parts/zone.ts'
import { tw } from '../../session/session.ts'
import { changeOfWork, type Entry, entryOf, type WorkItem, workIdOf } from './work.ts'

/** A week of a member, in a time zone. */
export interface Week {
  memberId: string
  /** the first day */
  start: string
  zone: string
}

/**
 * The entries of a week and of the day before, which may reach into it; kept current.
 * @param works extra rows with known names
 */
export function useEntries(week: Week, works: readonly WorkItem[]): Entries {
  const key = `${week.memberId} ${week.start} ${week.zone}`
  const heard = useMemo(() => new Map<string, number>(), [key])
  const loaded = useLoaded<readonly Entry[]>(
    key,
    (signal) => readEntries(week, -1, signal),
    (event, now) => {
      noteVersion(event, week, heard)
      return reactTo(event, now, week, works)
    },
  )
  return {
    ...loaded,
    take(entry) {
      const isLate = (heard.get(entry.id) ?? 0) > entry.version
      if (!isLate && isOf(week, entry)) loaded.change((now) => withEntry(now, entry))
    },
    drop: (deleted) => loaded.change((now) => without(now, deleted)),
  }
}

/** The entries of a week. An event may bring a later version than the response to a write. */
export interface Entries extends Loaded<readonly Entry[]> {
  /** applies a written entry */
  take(entry: Entry): void
  /** removes a deleted entry */
  drop(deleted: Entry): void
}

/** Notes the latest version of an entry, even if the entry left the week. */
function noteVersion({ type, snapshot }: Event, { memberId }: Week, heard: Map<string, number>): void {
  if (!type.startsWith('time_entry.')) return
  const entry = snapshot as unknown as TimeEntry
  const isGone = type === 'time_entry.deleted' || type === 'time_entry.left'
  if (isGone) heard.set(entry.id, Number.POSITIVE_INFINITY)
  else if (entry.memberId === memberId) heard.set(entry.id, entry.version)
}

/** Reads the entries of a week, all pages. @param from days after the first day at which to start */
export async function readEntries({ memberId, start, zone }: Week, from: number, signal?: AbortSignal) {
  const query = {
    memberId,
    sort: 'startedAt',
    include: ['task', 'subtask', 'project', 'tags'],
    startedAfter: momentIn(zone, dayAfter(start, from), 0).toISOString(),
    startedBefore: momentIn(zone, dayAfter(start, 7), 0).toISOString(),
  } as const
  const found: Entry[] = []
  for await (const entry of tw().timeEntries.list(query, { signal })) found.push(entryOf(entry))
  return found
}

function withEntry(now: readonly Entry[], entry: Entry): readonly Entry[] {
  const known = now.find(({ id }) => id === entry.id)
  if (!isNewer(entry, known)) return now
  const others = now.filter((each) => each !== known)
  return [...others, entry].toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
}

function reactTo(
  { type, resource, snapshot }: Event,
  now: readonly Entry[],
  week: Week,
  works: readonly WorkItem[],
): readonly Entry[] | 'again' | undefined {
  const [noun = '', what] = type.split('.')
  if (noun === 'time_entry') return reactToEntry(what, snapshot as unknown as TimeEntry, now, week, works)
  if (noun === 'tag') return now.some(({ tagIds }) => tagIds.includes(resource.id)) ? 'again' : undefined
  const change = changeOfWork(noun, resource.id, snapshot)
  if (!change) return
  if (what === 'restored') return 'again'
  const changed = now.map((entry) => {
    const work = change(entry.work)
    return work === entry.work ? entry : { ...entry, work }
  })
  if (changed.every((entry, place) => entry === now[place])) return
  // a deleted task or subtask deletes its time entries too
  return what === 'updated' ? changed : 'again'
}

function reactToEntry(
  what: string | undefined,
  coming: TimeEntry,
  now: readonly Entry[],
  week: Week,
  works: readonly WorkItem[],
) {
  const known = now.find(({ id }) => id === coming.id)
  if (what === 'deleted' || what === 'left' || !isOf(week, coming)) {
    return known && now.filter((entry) => entry !== known)
  }
  if (!isNewer(coming, known)) return
  const workId = workIdOf(coming)
  const work = [...now.map(({ work }) => work), ...works].find(({ id }) => id === workId)
  const tags = tagsOf(coming, now)
  const whole = { ...known, ...coming }
  // the event has no names, and no long text
  if (!work || !tags || whole.description === undefined) return 'again'
  return withEntry(now, { ...whole, work, tags })
}

/** Whether an entry belongs to a week or to the day before it. */
function isOf({ memberId, start, zone }: Week, entry: TimeEntry): boolean {
  const day = dayIn(zone, new Date(entry.startedAt))
  return entry.memberId === memberId && day >= dayAfter(start, -1) && day < dayAfter(start, 7)
}

function tagsOf({ tagIds }: TimeEntry, now: readonly Entry[]) {
  const known = new Map(now.flatMap(({ tags }) => tags.map((tag) => [tag.id, tag] as const)))
  const found = tagIds.flatMap((id) => known.get(id) ?? [])
  return found.length === tagIds.length ? found : undefined
}
