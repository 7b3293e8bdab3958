import { useSignal } from '@preact/signals'
import type { Subtask } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged } from '../../act/unless-changed.ts'
import { whyNotWorkIn } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { MySubtask } from './work.ts'

/** A subtask with its checkbox. */
export function SubtaskLine({ step, finalized }: { step: MySubtask; finalized: (step: Subtask) => void }) {
  const isBusy = useSignal(false)
  const { id, name } = step
  const finalize = async () => {
    if (isBusy.value) return
    isBusy.value = true
    const outcome = await act(({ idempotencyKey }) => tw().subtasks.finalize(id, { idempotencyKey }), {
      said: words.myWork.finalized(name),
      undo: (changed) => tw().subtasks.reopen(id, unlessChanged(changed)),
    })
    isBusy.value = false
    if (outcome.done) finalized(outcome.value)
  }
  return (
    <li class="my-work-step" data-line={id} aria-busy={isBusy.value}>
      <label>
        <input
          type="checkbox"
          checked={false}
          disabled={step.task === null || whyNotWorkIn(step.task.projectId) !== undefined}
          onClick={(event) => {
            // show the state on the server until it responds
            event.preventDefault()
            void finalize()
          }}
        />
        <span dir="auto">{name}</span>
      </label>
    </li>
  )
}
