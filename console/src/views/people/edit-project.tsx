import type { Project } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Meanwhile, useEdit } from '../../parts/edit.tsx'
import { FormBox } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { ProjectFields } from './project-fields.tsx'

/** Changes what is said of a project. */
export function EditProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const edit = useEdit({
    what: `project.${project.id}`,
    now: project,
    fields: ['name', 'description', 'color', 'startDate', 'dueDate'],
    read: () => tw().projects.read(project.id),
    update: (changes, options) => tw().projects.update(project.id, changes, options),
    said: words.people.saved(project.name),
  })
  const { form } = edit
  const save = async () => {
    if ((await edit.save()).done) onClose()
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={words.people.editTitle(project.name)} onClose={leave}>
      <FormBox
        {...form}
        error={edit.theirs.length > 0 ? undefined : form.error}
        submit={words.edit.save}
        onSubmit={() => void save()}
        onCancel={leave}
      >
        <ProjectFields values={form.values} set={form.set} />
        <Meanwhile edit={edit} labels={words.people.fields} onSaved={onClose} />
      </FormBox>
    </Dialog>
  )
}
