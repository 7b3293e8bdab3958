import type { Project } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged } from '../../act/unless-changed.ts'
import type { MenuItem } from '../../parts/menu.tsx'
import { tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'

interface ProjectActions {
  onEdit: () => void
  /** leads can edit and archive; only owners and admins can delete */
  mayDelete: boolean
  onDeleted?: () => void
}

/** The menu items of a project; each of them can be undone. */
export function projectItems(project: Project, { onEdit, mayDelete, onDeleted }: ProjectActions): MenuItem[] {
  const isArchived = project.status === 'archived'
  return [
    ...(isArchived ? [] : [{ label: peopleWords.edit, run: onEdit }]),
    isArchived
      ? { label: peopleWords.unarchive, run: () => void unarchive(project) }
      : { label: peopleWords.archive, run: () => void archive(project) },
    ...(mayDelete
      ? [{ label: peopleWords.delete, run: () => void remove(project, onDeleted), isDangerous: true }]
      : []),
  ]
}

const archive = ({ id, name }: Project) =>
  act((once) => tw().projects.archive(id, once), {
    said: peopleWords.archivedNow(name),
    undo: (changed) => tw().projects.unarchive(id, unlessChanged(changed)),
  })

const unarchive = ({ id, name }: Project) =>
  act((once) => tw().projects.unarchive(id, once), {
    said: peopleWords.unarchivedNow(name),
    undo: (changed) => tw().projects.archive(id, unlessChanged(changed)),
  })

async function remove({ id, name }: Project, onDeleted: (() => void) | undefined) {
  const { done } = await act(() => tw().projects.delete(id), {
    said: peopleWords.deletedNow(name),
    undo: () => tw().projects.restore(id),
  })
  if (done) onDeleted?.()
}
