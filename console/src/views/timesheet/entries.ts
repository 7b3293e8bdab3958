import type { Event, TimeEntry } from '@taskwright/client'
import { useMemo } from 'preact/hooks'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { isNewer, without } from '../../live/versions.ts'
import { dayAfter, dayIn, momentIn } from '../../parts/zone.ts'
import { tw } from '../../session/session.ts'
import { changeOfWork, type Entry, entryOf, type Work, workIdOf } from './work.ts'

/** Whose week, and by which clocks. */
export interface Week {
  memberId: string
  /** its first day */
  start: string
  zone: string
}

/**
 * The entries of a week, and of the day before it, which may reach into it; kept as they are on the server.
 * @param works further lines, the names of which are known
 */
export function useEntries(week: Week, works: readonly Work[]): Entries {
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

/** The entries of a week, and what comes of the answers to writes. An event may have told of something later. */
export interface Entries extends Loaded<readonly Entry[]> {
  /** an entry was written */
  take(entry: Entry): void
  /** an entry was deleted */
  drop(deleted: Entry): void
}

/** Notes the latest version of an entry that was told, also of one that is no longer in the week. */
function noteVersion({ type, snapshot }: Event, { memberId }: Week, heard: Map<string, number>): void {
  if (!type.startsWith('time_entry.')) return
  const entry = snapshot as unknown as TimeEntry
  const isGone = type === 'time_entry.deleted' || type === 'time_entry.left'
  if (isGone) heard.set(entry.id, Number.POSITIVE_INFINITY)
  else if (entry.memberId === memberId) heard.set(entry.id, entry.version)
}

/** The entries of a week from the start on, all pages. @param from how many days after its first one it begins */
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
  works: readonly Work[],
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
  // what was deleted took its time with it
  return what === 'updated' ? changed : 'again'
}

function reactToEntry(
  what: string | undefined,
  coming: TimeEntry,
  now: readonly Entry[],
  week: Week,
  works: readonly Work[],
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
  // names, or a long text, that only a reading brings
  if (!work || !tags || whole.description === undefined) return 'again'
  return withEntry(now, { ...whole, work, tags })
}

/** Whether an entry is one of those of a week, or of the day before. */
function isOf({ memberId, start, zone }: Week, entry: TimeEntry): boolean {
  const day = dayIn(zone, new Date(entry.startedAt))
  return entry.memberId === memberId && day >= dayAfter(start, -1) && day < dayAfter(start, 7)
}

function tagsOf({ tagIds }: TimeEntry, now: readonly Entry[]) {
  const known = new Map(now.flatMap(({ tags }) => tags.map((tag) => [tag.id, tag] as const)))
  const found = tagIds.flatMap((id) => known.get(id) ?? [])
  return found.length === tagIds.length ? found : undefined
}
