import type { FullProject, Progress } from '@taskwright/client'
import { dayText } from '../../parts/format.ts'
import { Menu } from '../../parts/menu.tsx'
import { Row } from '../../parts/rows.tsx'
import { hrefOf } from '../../router/router.ts'
import { mayAdminister, whyNotLead } from '../../session/may.ts'
import { peopleWords } from './people-words.ts'
import { projectItems } from './project-acts.ts'

interface ProjectLineProps {
  project: FullProject
  onEdit: () => void
}

/** A project: progress and actions. */
export function ProjectLine({ project, onEdit }: ProjectLineProps) {
  const { id, name, key, color, status, dueDate, progress } = project
  return (
    <Row
      isFaint={status === 'archived'}
      name={
        <>
          <span class="people-color" style={{ background: color ?? 'var(--line)' }} />
          <a href={hrefOf(`/people/projects/${id}`)} dir="auto">
            {name}
          </a>
        </>
      }
      chips={
        <>
          <span class="chip">{key}</span>
          {status === 'archived' && <span class="chip warn">{peopleWords.archived}</span>}
        </>
      }
      about={[
        ...(progress ? [<Bar key="bar" progress={progress} name={name} />] : []),
        ...(dueDate === null ? [] : [peopleWords.due(dayText(dueDate))]),
      ]}
      actions={
        whyNotLead(id) === undefined && (
          <Menu
            class="icon"
            label={peopleWords.actions(name)}
            items={projectItems(project, { onEdit, mayDelete: mayAdminister() })}
          >
            ⋯
          </Menu>
        )
      }
    />
  )
}

/** The progress of a project, as a bar. */
export function Bar({ progress, name }: { progress: Progress; name: string }) {
  const { todo, doing, done, offBoard, overdue } = progress
  const all = todo + doing + done + offBoard
  if (all === 0) return <>{peopleWords.noTasks}</>
  return (
    <span class="people-progress">
      <progress max={all} value={done} aria-label={peopleWords.progressOf(name)} />
      <span>
        {peopleWords.done(done, all)}
        {overdue > 0 && <span class="failure">, {peopleWords.overdue(overdue)}</span>}
      </span>
    </span>
  )
}
