import { words } from '../../words.ts'
import { baseOf, type Desk, useField } from './desk.ts'
import { useTextEdit } from './text-edit.tsx'

/** The task's name, edited in place. */
export function Name({ desk }: { desk: Desk }) {
  const { task } = desk
  const { editor, opener, open } = useTextEdit({
    ...{ what: `task.${task.id}.name`, base: baseOf(desk, 'name'), saving: useField(desk, 'name') },
    ...{ label: words.task.name, isLine: true, most: 255 },
  })
  if (desk.whyNot !== undefined)
    return (
      <h2 class="task-name" dir="auto">
        {task.name}
      </h2>
    )
  if (editor)
    return (
      <>
        <h2 class="visually-hidden">{task.name}</h2>
        {editor}
      </>
    )
  return (
    <h2 class="task-name">
      <button ref={opener} type="button" class="plain" dir="auto" title={words.task.rename} onClick={open}>
        {task.name}
        <span class="visually-hidden"> ({words.task.rename})</span>
      </button>
    </h2>
  )
}
