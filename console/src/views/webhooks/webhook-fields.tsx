import type { Webhook } from '@taskwright/client'
import { Field } from '../../parts/form.tsx'
import { findProjects } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { useProjectName } from './project-name.ts'
import { TypeChoice } from './type-choice.tsx'
import { webhookWords } from './webhook-words.ts'

export type WebhookValues = Pick<Webhook, 'url' | 'types' | 'projectId' | 'description'>

interface WebhookFieldsProps {
  values: WebhookValues
  set: (change: Partial<WebhookValues>) => void
}

/** The form fields of a webhook. */
export function WebhookFields({ values, set }: WebhookFieldsProps) {
  const { projectId } = values
  const project = useProjectName(projectId)
  return (
    <>
      <Field name="url" label={webhookWords.fields.url} hint={webhookWords.urlHint}>
        {(attributes) => (
          <input
            {...attributes}
            inputMode="url"
            value={values.url}
            placeholder="https://"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => set({ url: currentTarget.value })}
          />
        )}
      </Field>
      <Field name="description" label={webhookWords.fields.description}>
        {(attributes) => (
          <input
            {...attributes}
            dir="auto"
            value={values.description ?? ''}
            autocomplete="off"
            onInput={({ currentTarget }) => set({ description: currentTarget.value || null })}
          />
        )}
      </Field>
      <div class="form-field">
        <span class="keys-label">{webhookWords.fields.projectId}</span>
        <div>
          <Picker
            isSingle
            label={webhookWords.fields.projectId}
            none={webhookWords.everyProject}
            chosen={projectId === null ? [] : [{ id: projectId, label: project ?? webhookWords.oneProject }]}
            find={findProjects}
            onChange={([one]) => set({ projectId: one?.id ?? null })}
          />
        </div>
      </div>
      <TypeChoice chosen={values.types} onChange={(types) => set({ types })} />
    </>
  )
}
