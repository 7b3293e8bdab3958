import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { runningTimer, stopTimer } from '../live/timer.ts'
import { taskHref } from '../router/router.ts'
import { mayWrite } from '../session/may.ts'
import { words } from '../words.ts'

/** The user's running timer, in every view: its task, its duration and a Stop button. */
export function RunningTimer() {
  const isStopping = useSignal(false)
  const timer = runningTimer.value
  if (timer === null) return null
  const { task, subtask, startedAt } = timer
  const name = subtask?.name ?? task?.name ?? ''
  const stop = async () => {
    if (isStopping.value) return
    isStopping.value = true
    await stopTimer()
    isStopping.value = false
  }
  return (
    <section class="running-timer" aria-label={words.timer.title}>
      {task ? (
        <a href={taskHref(task.key)} title={name}>
          {task.key}
          <span class="visually-hidden" dir="auto">
            {' '}
            {name}
          </span>
        </a>
      ) : (
        <span>{words.timer.unseen}</span>
      )}
      <Elapsed since={startedAt} />
      {mayWrite() && (
        <button type="button" aria-disabled={isStopping.value} aria-busy={isStopping.value} onClick={() => void stop()}>
          {words.timer.stop}
        </button>
      )}
    </section>
  )
}

/** The time since a date-time, updated every second. */
export function Elapsed({ since }: { since: string }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    now.value = Date.now()
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1_000)
    return () => clearInterval(timer)
  }, [since])
  // this device's clock may be behind the server's
  const seconds = Math.max(0, Math.floor((now.value - Date.parse(since)) / 1_000))
  const two = (value: number) => String(value).padStart(2, '0')
  return (
    <time class="elapsed" dateTime={`PT${seconds}S`}>
      {Math.floor(seconds / 3_600)}:{two(Math.floor(seconds / 60) % 60)}:{two(seconds % 60)}
    </time>
  )
}
