import type { Task } from '@taskwright/client'
import { useId } from 'preact/hooks'
import { words } from '../../words.ts'
import { baseOf, type Desk, useField } from './desk.ts'
import { EditOutcome } from './outcome.tsx'

const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

/** The priority of a task. */
export function PriorityFact({ desk }: { desk: Desk }) {
  const saving = useField(desk, 'priority')
  const id = useId()
  const { isBusy, wanted } = saving.state.value
  const save = (value: Task['priority']) => void saving.save(value, baseOf(desk, 'priority'))
  if (desk.whyNot !== undefined)
    return (
      <div class="fact">
        <dt>{words.task.priority}</dt>
        <dd>{words.board.priorities[desk.task.priority]}</dd>
      </div>
    )
  return (
    <div class="fact" aria-busy={isBusy}>
      <dt>
        <label htmlFor={id}>{words.task.priority}</label>
      </dt>
      <dd>
        <select
          id={id}
          value={(isBusy && wanted) || desk.task.priority}
          onChange={({ currentTarget }) => save(currentTarget.value as Task['priority'])}
        >
          {priorities.map((priority) => (
            <option key={priority} value={priority}>
              {words.board.priorities[priority]}
            </option>
          ))}
        </select>
        <EditOutcome
          {...{ saving, label: words.task.priority, show: (value: Task['priority']) => words.board.priorities[value] }}
          {...{ onTheirs: () => {}, onSaved: () => {}, onAgain: () => wanted && save(wanted) }}
        />
      </dd>
    </div>
  )
}
