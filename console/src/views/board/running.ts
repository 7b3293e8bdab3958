import { signal } from '@preact/signals'
import type { Event, TimeEntrySnapshot } from '@taskwright/client'
import { useLayoutEffect } from 'preact/hooks'
import { onEvent, onMissed } from '../../live/live.ts'
import { tw } from '../../session/session.ts'

/** Time that runs on a task. */
interface RunningTime {
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
    const ends = [
      onEvent((event) => {
        // which task a step is of is not told by events
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
  // what is heard meanwhile goes before what is read
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
    // cards are complete without it
  }
  heardMeanwhile = undefined
}

/** The tasks of subtasks on which time ran, as far as they were told. */
const taskOfStep = new Map<string, string>()
let heardMeanwhile: Map<string, Event> | undefined

/** @returns whether it is known where it belongs */
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
