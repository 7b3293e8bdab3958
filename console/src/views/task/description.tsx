import type { Task } from '@taskwright/client'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { type Desk, take } from './desk.ts'
import { Markdown } from './markdown/markdown.tsx'
import { usePanelCommands } from './panel-commands.ts'
import { readTask } from './reading.ts'
import { useSaving } from './saving.ts'
import { useTextEdit } from './text-edit.tsx'

/** The description of a task, in Markdown. */
export function Description({ desk }: { desk: Desk }) {
  const { task, whyNot } = desk
  const saving = useSaving<Task, string>({
    id: task.id,
    read: () => readTask(task.id),
    write: (text, ifMatch) => tw().tasks.update(task.id, { description: text === '' ? null : text }, { ifMatch }),
    valueIn: ({ description }) => description ?? '',
    take: (read) => take(desk, read),
  })
  const { editor, opener, open } = useTextEdit({
    ...{ what: `task.${task.id}.description`, base: { version: task.version, value: task.description ?? '' }, saving },
    ...{ label: words.task.description, most: 50_000 },
  })
  const section = usePanelCommands<HTMLElement>(words.task.description, [
    { label: words.task.editDescription, keys: 'e', whyNot: () => whyNot, run: open },
  ])
  return (
    <section ref={section} class="task-section" aria-label={words.task.description}>
      <header>
        <h3>{words.task.description}</h3>
        {!editor && whyNot === undefined && (
          <button ref={opener} type="button" class="plain" aria-label={words.task.editDescription} onClick={open}>
            {words.task.edit}
          </button>
        )}
      </header>
      {editor ||
        (task.description ? <Markdown text={task.description} /> : <p class="quiet">{words.task.noDescription}</p>)}
    </section>
  )
}
