import type { Project } from '@taskwright/client'
import { useEdit } from '../../parts/edit.tsx'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'
import { ProjectFields } from './project-fields.tsx'

/** Edits a project. */
export function EditProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const edit = useEdit({
    what: `project.${project.id}`,
    now: project,
    fields: ['name', 'description', 'color', 'startDate', 'dueDate'],
    read: () => tw().projects.get(project.id),
    update: (changes, options) => tw().projects.update(project.id, changes, options),
    said: peopleWords.saved(project.name),
  })
  return (
    <EditDialog title={peopleWords.editTitle(project.name)} edit={edit} labels={peopleWords.fields} onClose={onClose}>
      <ProjectFields values={edit.form.values} set={edit.form.set} />
    </EditDialog>
  )
}
