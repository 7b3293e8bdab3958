import { signal } from '@preact/signals'
import type { Event, RunningTime, TimeEntry } from '@taskwright/client'
import { act, type Outcome } from '../act/act.ts'
import { session, tw, whileSignedIn } from '../session/session.ts'
import { onEvent, onMissed } from './live.ts'
import { isNewer } from './versions.ts'

/** The running time entry of the signed-in member, with its task; null if none runs. */
export const runningTimer = signal<RunningTime | null>(null)

/** Keeps the running timer current, starting from the value of the first read. */
export function followTimer(): void {
  whileSignedIn(({ timer, me }) => {
    runningTimer.value = timer
    const ends = [onEvent((event) => heard(event, me.member.id)), onMissed(() => void read())]
    return () => {
      for (const end of ends) end()
      runningTimer.value = null
    }
  })
}

/** Starts the timer on a task or subtask. The organization's setting decides whether a running timer is stopped. */
export function startTimer(on: { taskId: string } | { subtaskId: string }): Promise<Outcome<TimeEntry>> {
  return onceAtATime(JSON.stringify(on), async () => {
    const outcome = await act(({ idempotencyKey }) => tw().timer.start(on, { idempotencyKey }))
    if (outcome.done) await read()
    return outcome
  })
}

/** Stops the timer. */
export function stopTimer(): Promise<Outcome<TimeEntry>> {
  return onceAtATime('stop', async () => {
    const outcome = await act(({ idempotencyKey }) => tw().timer.stop({}, { idempotencyKey }))
    const now = runningTimer.value
    if (outcome.done && now?.id === outcome.value.id && !isNewer(now, outcome.value)) runningTimer.value = null
    return outcome
  })
}

const underWay = new Map<string, Promise<Outcome<TimeEntry>>>()

/** Joins a second click to the first one until the server responds. */
function onceAtATime(wish: string, run: () => Promise<Outcome<TimeEntry>>): Promise<Outcome<TimeEntry>> {
  const running = underWay.get(wish) ?? run().finally(() => underWay.delete(wish))
  underWay.set(wish, running)
  return running
}

function heard({ type, resource, snapshot }: Event, memberId: string): void {
  const now = runningTimer.value
  if (type.startsWith('time_entry.') && type !== 'time_entry.left') {
    const entry = snapshot as unknown as TimeEntry
    if (entry.memberId !== memberId && entry.id !== now?.id) return
    const runs = type !== 'time_entry.deleted' && entry.endedAt === null && entry.memberId === memberId
    if (!runs && entry.id === now?.id) runningTimer.value = null
    // the current read may be older than this event
    if (isReading || (runs && (entry.id !== now?.id || isNewer(entry, now)))) void read()
  } else if (now !== null && (resource.id === now.task?.id || resource.id === now.subtask?.id)) void read()
}

let reading = 0
let isReading = false

/** Reads the timer. Only the latest read counts, because it includes all earlier events. */
async function read(): Promise<void> {
  const mine = ++reading
  isReading = true
  const client = session.value?.tw
  try {
    const { timeEntry } = (await client?.timer.get({ include: ['task', 'subtask'] })) ?? { timeEntry: null }
    if (mine === reading && session.value?.tw === client) runningTimer.value = timeEntry
  } catch {
    // the next event or connection reads it again
  }
  if (mine === reading) isReading = false
}
