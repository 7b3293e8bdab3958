import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { tw } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'
import { ProjectFields, type ProjectValues } from './project-fields.tsx'

const empty: ProjectValues & { key: string } = {
  ...{ name: '', key: '', description: null, color: null, startDate: null, dueDate: null },
}

/** Creates a project and opens it. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const form = useForm('project', empty)
  const submit = async () => {
    const outcome = await form.send(
      ({ key, ...values }, once) => tw().projects.create({ ...values, ...(key !== '' && { key }) }, once),
      peopleWords.created(form.values.name),
    )
    if (!outcome.done) return
    onClose()
    go(hrefOf(`/people/projects/${outcome.value.id}`))
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={peopleWords.newProject} onClose={leave}>
      <FormBox {...form} submit={peopleWords.create} onSubmit={() => void submit()} onCancel={leave}>
        <ProjectFields values={form.values} set={form.set} />
        <Field name="key" label={peopleWords.fields.key} hint={peopleWords.keyHint}>
          {(attributes) => (
            <input
              {...attributes}
              value={form.values.key}
              autocapitalize="characters"
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => form.set({ key: currentTarget.value.toUpperCase() })}
            />
          )}
        </Field>
      </FormBox>
    </Dialog>
  )
}
