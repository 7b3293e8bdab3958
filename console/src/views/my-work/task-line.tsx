import type { Subtask } from '@taskwright/client'
import { runningTimer } from '../../live/timer.ts'
import { dayText } from '../../parts/format.ts'
import { taskHref } from '../../router/router.ts'
import { words } from '../../words.ts'
import type { Item } from './groups.ts'
import { SubtaskLine } from './subtask-line.tsx'

interface TaskLineProps {
  item: Item
  today: string
  finalized: (step: Subtask) => void
}

/** A task of the user with their subtasks of it. The task of another member only gives these subtasks a heading. */
export function TaskLine({ item: { task, steps, due }, today, finalized }: TaskLineProps) {
  const shown = task ?? steps[0]?.task
  return (
    <li class={`my-work-item ${task ? '' : 'foreign'}`}>
      <div class="my-work-line" data-line={shown?.id}>
        {shown ? (
          <a href={taskHref(shown.key)}>
            <span class="my-work-key">{shown.key}</span> <span dir="auto">{shown.name}</span>
          </a>
        ) : (
          <span>{words.timer.unseen}</span>
        )}
        {shown !== undefined && runningTimer.value?.task?.id === shown?.id && (
          <span class="chip good">{words.myWork.running}</span>
        )}
        {task?.stage && (
          <span class="chip" dir="auto">
            {task.stage.name}
          </span>
        )}
        {task && (task.priority === 'high' || task.priority === 'urgent') && (
          <span class={`chip ${task.priority === 'urgent' ? 'bad' : 'warn'}`}>
            {words.list.priorities[task.priority]}
          </span>
        )}
        {task?.project && (
          <span class="my-work-project quiet small" dir="auto">
            {task.project.name}
          </span>
        )}
        {due !== null && (
          <span class={`my-work-due small ${due < today ? 'failure' : 'quiet'}`}>
            <span class="visually-hidden">{words.myWork.due} </span>
            {dayText(due)}
          </span>
        )}
      </div>
      {steps.length > 0 && (
        <ul class="my-work-steps">
          {steps.map((step) => (
            <SubtaskLine key={step.id} step={step} finalized={finalized} />
          ))}
        </ul>
      )}
    </li>
  )
}
