import type { HTMLAttributes } from 'preact'
import { Avatar } from '../../parts/avatar.tsx'
import { dayText } from '../../parts/format.ts'
import { dayIn } from '../../parts/zone.ts'
import { taskHref } from '../../router/router.ts'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Row } from './row.ts'

const as = (role: 'rowheader' | 'cell', more: HTMLAttributes<HTMLDivElement> = {}) => ({ role, ...more })

/** The cells of a task's row. The link of its name covers the whole row. */
export function Cells({ row }: { row: Row }) {
  const { key, name, stage, assignees, tags, priority, dueDate, completedAt } = row
  const isLate = dueDate !== null && completedAt === null && dueDate < dayIn(me().organization.timezone, new Date())
  return (
    <>
      <div class="list-task" {...as('rowheader')}>
        <a href={taskHref(key)}>
          <span class="list-key">{key}</span> <span dir="auto">{name}</span>
        </a>
        {tags.map((tag) => (
          <span key={tag.id} class="chip" dir="auto">
            {tag.name}
          </span>
        ))}
      </div>
      <div class="list-stage" dir="auto" {...as('cell')}>
        {stage?.name ?? ''}
      </div>
      <div class="list-people" {...as('cell')}>
        {assignees.map(({ id, name }) => (
          <Avatar key={id} id={id} name={name} />
        ))}
      </div>
      <div class={`list-priority ${priority}`} {...as('cell')}>
        {priority === 'none' ? '' : words.list.priorities[priority]}
      </div>
      <div class={`list-due ${isLate ? 'late' : ''}`} {...as('cell')}>
        {dueDate && dayText(dueDate)}
        {isLate && <span class="visually-hidden">, {words.list.overdue}</span>}
      </div>
    </>
  )
}
