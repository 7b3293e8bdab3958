import { useRef } from 'preact/hooks'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { AddLine } from './add-line.tsx'
import type { Desk } from './desk.ts'
import { usePanelCommands } from './panel-commands.ts'
import { SubtaskRow } from './subtask-row.tsx'

/** The subtasks of a task, in order. */
export function Subtasks({ desk }: { desk: Desk }) {
  const { whyNot } = desk
  const { id, subtasks, moreSubtasks } = desk.task
  const input = useRef<HTMLInputElement>(null)
  const section = usePanelCommands<HTMLElement>(words.task.subtasks, [
    { label: words.task.addSubtask, keys: 's', whyNot: () => whyNot, run: () => input.current?.focus() },
  ])
  const done = subtasks.filter(({ finalizedAt }) => finalizedAt !== null).length
  return (
    <section ref={section} class="task-section" aria-label={words.task.subtasks}>
      <header>
        <h3>{words.task.subtasks}</h3>
        {subtasks.length > 0 && <span class="quiet small">{words.task.doneOf(done, subtasks.length)}</span>}
      </header>
      {subtasks.length > 0 && (
        <ul class="subtasks">
          {subtasks.map((subtask, place) => (
            <SubtaskRow key={subtask.id} {...{ desk, subtask, place, otherwise: input }} />
          ))}
        </ul>
      )}
      {moreSubtasks && <p class="quiet small">{words.task.moreSubtasks(subtasks.length)}</p>}
      {whyNot === undefined && (
        <AddLine
          {...{ what: `task.${id}.subtask`, label: words.task.newSubtask, submit: words.task.add, input }}
          write={(name, once) => tw().subtasks.create(id, { name }, once)}
        />
      )}
    </section>
  )
}
