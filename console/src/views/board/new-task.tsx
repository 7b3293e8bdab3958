import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { failureSentence } from '../../act/failures.ts'
import { noteFocus } from '../../parts/focus.ts'
import { useForm } from '../../parts/form.tsx'
import { findProjectsToWorkIn } from '../../parts/options.ts'
import { type Option, Picker } from '../../parts/picker.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import type { Board } from './state.ts'

// on a board of the organization, the next task starts with the same project
let lastProject: Option | undefined

/** The form for a new task in a stage: a name and Enter. The user adds the rest in the task. */
export function NewTask({ desk, board, stageId }: { desk: Desk; board: Board; stageId: string }) {
  const form = useForm(`task.${stageId}`, { name: '', project: lastProject ?? { id: '', label: '' } })
  const input = useRef<HTMLInputElement>(null)
  const said = useSignal('')
  // the user types the name next
  useLayoutEffect(() => input.current?.focus(), [])
  const { name, project } = form.values
  const projectId = board.workspace.projectId ?? project.id
  const leave = () => {
    form.clear()
    desk.adding.value = undefined
    desk.added.value = undefined
    desk.wanted.value = desk.current.peek()
  }
  const add = async (event: Event) => {
    event.preventDefault()
    if (form.isBusy || name.trim() === '' || projectId === '') return
    if (project.id !== '') lastProject = project
    const mayFocus = noteFocus()
    const sent = await form.send((values, { idempotencyKey }) =>
      tw().tasks.create({ projectId, stageId, name: values.name }, { idempotencyKey }),
    )
    if (sent.done) {
      said.value = words.board.added(sent.value.key)
      desk.added.value = sent.value.id
    }
    if (mayFocus()) input.current?.focus()
  }
  return (
    <form class="board-new" onSubmit={add}>
      <input
        ref={input}
        dir="auto"
        aria-label={words.board.newTask}
        placeholder={words.board.newTaskHint}
        autocomplete="off"
        value={name}
        readOnly={form.isBusy}
        aria-invalid={form.error !== undefined}
        onInput={({ currentTarget: { value } }) => form.set({ name: value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          leave()
        }}
      />
      {board.workspace.projectId === null && (
        <Picker
          label={words.board.project}
          none={words.board.chooseProject}
          isSingle
          chosen={project.id === '' ? [] : [project]}
          find={findProjectsToWorkIn}
          onChange={([chosen = { id: '', label: '' }]) => form.set({ project: chosen })}
        />
      )}
      {form.error !== undefined && (
        <p class="failure small" role="alert">
          {failureSentence(form.error)}
        </p>
      )}
      <p class="quiet small" role="status">
        {form.isBusy ? words.frame.underWay : said.value}
      </p>
      <div class="buttons">
        <button type="submit" class="primary" aria-disabled={form.isBusy || name.trim() === '' || projectId === ''}>
          {words.board.add}
        </button>
        <button type="button" class="plain" onClick={leave}>
          {words.board.leaveIt}
        </button>
      </div>
    </form>
  )
}
