import { useSignal } from '@preact/signals'
import type { Event } from '@taskwright/client'
import { Elapsed } from '../../frame/running-timer.tsx'
import { useLoaded } from '../../live/loaded.ts'
import { runningTimer, startTimer, stopTimer } from '../../live/timer.ts'
import { Failure } from '../../parts/failure.tsx'
import { clockText, dayOf, dayText, durationText } from '../../parts/format.ts'
import { dayIn } from '../../parts/zone.ts'
import { hrefOf } from '../../router/router.ts'
import { whyNotLead, whyNotWrite } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import { LogTime } from './log-time.tsx'
import { usePanelCommands } from './panel-commands.ts'

const most = 50

/** The time entries of a task and its subtasks, the timer, and a line to log time. */
export function Time({ desk }: { desk: Desk }) {
  const { task, whyNot } = desk
  const timer = runningTimer.value
  const isRunning = timer?.taskId === task.id
  const toggle = () => void (isRunning ? stopTimer() : startTimer({ taskId: task.id }))
  const whyNotToggle = () => (isRunning ? whyNotWrite() : whyNot)
  const section = usePanelCommands<HTMLElement>(words.task.time, [
    { label: words.task.toggleTimer, keys: 't', whyNot: whyNotToggle, run: toggle },
  ])
  const isOpen = useSignal(false)
  const { trackedSeconds, estimateSeconds } = task
  return (
    <section ref={section} class="task-section" aria-label={words.task.time}>
      <header>
        <h3>{words.task.time}</h3>
        <span class="quiet small">
          {words.task.tracked(
            durationText(trackedSeconds),
            estimateSeconds === null ? undefined : durationText(estimateSeconds),
          )}
        </span>
        {whyNotToggle() === undefined && (
          <button type="button" onClick={toggle}>
            {isRunning ? words.task.stopTimer : words.timer.start}
          </button>
        )}
        {isRunning && <Elapsed since={timer.startedAt} />}
      </header>
      {whyNot === undefined && <LogTime taskId={task.id} />}
      <button
        type="button"
        class="plain disclose"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {words.task.entries}
      </button>
      {isOpen.value && <Entries desk={desk} />}
    </section>
  )
}

/** The timesheet week in which the member of an entry edits it. */
function sheetOf(memberId: string, startedAt: string): string {
  const { member, organization } = me()
  const week = dayIn(organization.timezone, new Date(startedAt))
  return hrefOf('/timesheet', { week, ...(memberId !== member.id && { member: memberId }) })
}

function Entries({ desk: { task } }: { desk: Desk }) {
  const steps = task.subtasks.map(({ id }) => id)
  const isOn = ({ taskId, subtaskId }: Event['snapshot']) => taskId === task.id || steps.includes(String(subtaskId))
  const { value, error, reload } = useLoaded(
    `${task.id} ${steps.length}`,
    async (signal) => {
      const query = { taskId: task.id, include: ['member', 'subtask'], limit: most } as const
      return (await tw().timeEntries.list(query, { signal })).data
    },
    ({ type, snapshot }) => (type.startsWith('time_entry.') && isOn(snapshot) ? 'again' : undefined),
  )
  if (error.value !== undefined) return <Failure error={error.value} onRetry={reload} />
  if (value.value === undefined) return <p class="quiet small">{words.frame.loading}</p>
  if (value.value.length === 0) return <p class="quiet small">{words.task.noTime}</p>
  return (
    <>
      <ul class="entries">
        {value.value.map(({ id, memberId, member, subtask, startedAt, endedAt, durationSeconds, description }) => (
          <li key={id}>
            <span dir="auto">{member?.name ?? words.task.gone}</span>
            <span class="quiet small">
              {dayText(dayOf(new Date(startedAt)))}, {clockText(startedAt)}–{endedAt ? clockText(endedAt) : ''}
            </span>
            <span>{durationSeconds === null ? <Elapsed since={startedAt} /> : durationText(durationSeconds)}</span>
            <span class="quiet small" dir="auto">
              {[subtask?.name, description].filter(Boolean).join(' · ')}
            </span>
            {(memberId === me().member.id || whyNotLead(task.projectId) === undefined) && (
              <a class="small" href={sheetOf(memberId, startedAt)}>
                {words.task.inTimesheet}
              </a>
            )}
          </li>
        ))}
      </ul>
      {value.value.length === most && <p class="quiet small">{words.task.lastOnes(most)}</p>}
    </>
  )
}
