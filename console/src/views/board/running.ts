import { signal } from '@preact/signals'
import type { Event, TimeEntrySnapshot } from '@taskwright/client'
import { useLayoutEffect } from 'preact/hooks'
import { onEvent, onMissed } from '../../live/live.ts'
import { tw } from '../../session/session.ts'

/** A running time entry of a task. */
interface RunningTime {
  id: string
  memberId: string
}

/** The tasks with running time entries, and their members. */
export const running = signal<ReadonlyMap<string, readonly RunningTime[]>>(new Map())

const mostRead = 100

/**
 * Follows running time entries. It reads them at the first sign of activity, so that the board opens without waiting for them.
 * Then events keep them current.
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
    const ends = [
      onEvent((event) => {
        // an event has no task for a subtask's time
        if (!heard(event)) read()
      }),
      onMissed(read),
    ]
    return () => {
      for (const type of signs) removeEventListener(type, read)
      for (const end of ends) end()
      attempt.abort()
      running.value = new Map()
    }
  }, [])
}

async function take(signal: AbortSignal) {
  // events that arrive during the read win over its result
  heardMeanwhile = new Map()
  try {
    const query = {
      running: true,
      limit: mostRead,
      fields: ['id', 'subtaskId', 'memberId'],
      include: ['task'],
    } as const
    const { data } = await tw().timeEntries.list(query, { signal })
    const read = new Map<string, RunningTime[]>()
    for (const { id, subtaskId, memberId, task } of data) {
      if (task === null) continue
      if (subtaskId !== null) taskOfStep.set(subtaskId, task.id)
      read.set(task.id, [...(read.get(task.id) ?? []), { id, memberId }])
    }
    running.value = read
    for (const event of heardMeanwhile.values()) running.value = after(event, running.value)
  } catch {
    // cards work without it
  }
  heardMeanwhile = undefined
}

/** The known tasks of subtasks with running time. */
const taskOfStep = new Map<string, string>()
let heardMeanwhile: Map<string, Event> | undefined

/** @returns whether the task of the event is known */
function heard(event: Event): boolean {
  if (!event.type.startsWith('time_entry.')) return true
  heardMeanwhile?.set(event.resource.id, event)
  running.value = after(event, running.value)
  return !isRunningIn(event) || taskOf(event) !== undefined
}

const entryIn = ({ snapshot }: Event) => snapshot as unknown as TimeEntrySnapshot

function taskOf(event: Event): string | undefined {
  const { taskId, subtaskId } = entryIn(event)
  return taskId ?? taskOfStep.get(subtaskId ?? '')
}

const isRunningIn = (event: Event) =>
  entryIn(event).endedAt === null && event.type !== 'time_entry.deleted' && event.type !== 'time_entry.left'

function after(event: Event, now: ReadonlyMap<string, readonly RunningTime[]>) {
  const { id, memberId } = entryIn(event)
  const then = new Map(now)
  for (const [task, by] of now) {
    const others = by.filter((time) => time.id !== id)
    if (others.length === by.length) continue
    if (others.length > 0) then.set(task, others)
    else then.delete(task)
  }
  const taskId = taskOf(event)
  if (isRunningIn(event) && taskId !== undefined) then.set(taskId, [...(then.get(taskId) ?? []), { id, memberId }])
  return then
}
