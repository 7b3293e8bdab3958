import { signal } from '@preact/signals'
import type { Event, TimeEntrySnapshot } from '@taskwright/client'
import { useLayoutEffect } from 'preact/hooks'
import { onEvent, onMissed } from '../../live/live.ts'
import { tw } from '../../session/session.ts'

/** Time that runs on a task. */
export interface RunningTime {
  id: string
  memberId: string
}

/** On which tasks time runs, and whose. */
export const running = signal<ReadonlyMap<string, readonly RunningTime[]>>(new Map())

const mostRead = 100

/**
 * Follows what runs. It is read when somebody begins to look around, so that a board is there without waiting for it; from then
 * on the events tell.
 */
export function useRunning(): void {
  useLayoutEffect(() => {
    const attempt = new AbortController()
    const { signal } = attempt
    const read = () => {
      for (const type of signs) removeEventListener(type, read)
      void take(signal)
    }
    const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const type of signs) addEventListener(type, read, { passive: true })
    const ends = [onEvent(heard), onMissed(read)]
    return () => {
      for (const type of signs) removeEventListener(type, read)
      for (const end of ends) end()
      attempt.abort()
      running.value = new Map()
    }
  }, [])
}

async function take(signal: AbortSignal) {
  // what is heard meanwhile goes before what is read
  heardMeanwhile = new Map()
  try {
    const fields = ['id', 'taskId', 'memberId'] as const
    const { data } = await tw().timeEntries.list({ running: true, limit: mostRead, fields }, { signal })
    const read = new Map<string, RunningTime[]>()
    for (const { id, taskId, memberId } of data)
      if (taskId !== null) read.set(taskId, [...(read.get(taskId) ?? []), { id, memberId }])
    running.value = read
    for (const event of heardMeanwhile.values()) running.value = after(event, running.value)
  } catch {
    // cards are complete without it
  }
  heardMeanwhile = undefined
}

let heardMeanwhile: Map<string, Event> | undefined

function heard(event: Event) {
  if (!event.type.startsWith('time_entry.')) return
  heardMeanwhile?.set(event.resource.id, event)
  running.value = after(event, running.value)
}

function after({ type, snapshot }: Event, now: ReadonlyMap<string, readonly RunningTime[]>) {
  const { id, taskId, memberId, endedAt } = snapshot as unknown as TimeEntrySnapshot
  const then = new Map(now)
  for (const [task, by] of now) {
    const others = by.filter((time) => time.id !== id)
    if (others.length === by.length) continue
    if (others.length > 0) then.set(task, others)
    else then.delete(task)
  }
  const isRunning = endedAt === null && type !== 'time_entry.deleted' && type !== 'time_entry.left'
  if (isRunning && taskId !== null) then.set(taskId, [...(then.get(taskId) ?? []), { id, memberId }])
  return then
}
