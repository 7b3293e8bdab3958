import type { Project } from '@taskwright/client'
import { Field } from '../../parts/form.tsx'
import { peopleWords } from './people-words.ts'

export type ProjectValues = Pick<Project, 'name' | 'description' | 'color' | 'startDate' | 'dueDate'>

interface ProjectFieldsProps {
  values: ProjectValues
  set: (change: Partial<ProjectValues>) => void
}

/** The form fields of a project. */
export function ProjectFields({ values, set }: ProjectFieldsProps) {
  return (
    <>
      <Field name="name" label={peopleWords.fields.name}>
        {(attributes) => (
          <input
            {...attributes}
            value={values.name}
            dir="auto"
            autocomplete="off"
            onInput={({ currentTarget }) => set({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field name="description" label={peopleWords.fields.description}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            value={values.description ?? ''}
            onInput={({ currentTarget }) => set({ description: currentTarget.value || null })}
          />
        )}
      </Field>
      <div class="people-pair">
        {(['startDate', 'dueDate'] as const).map((name) => (
          <Field key={name} name={name} label={peopleWords.fields[name]}>
            {(attributes) => (
              <input
                {...attributes}
                type="date"
                value={values[name] ?? ''}
                onInput={({ currentTarget }) => set({ [name]: currentTarget.value || null })}
              />
            )}
          </Field>
        ))}
      </div>
      <div class="people-color-field">
        <Field name="color" label={peopleWords.fields.color}>
          {(attributes) => (
            <input
              {...attributes}
              type="color"
              value={values.color ?? '#888888'}
              onInput={({ currentTarget }) => set({ color: currentTarget.value })}
            />
          )}
        </Field>
        {values.color !== null && (
          <button type="button" class="plain" onClick={() => set({ color: null })}>
            {peopleWords.noColor}
          </button>
        )}
      </div>
    </>
  )
}
