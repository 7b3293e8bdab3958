import { useRef } from 'preact/hooks'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { findProjectsToLead } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { mayAdminister, whyNotLeadAny } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'

interface NewBoardProps {
  onMade: (id: string) => void
  onCancel?: () => void
}

/** The page for an organization without a board. */
export function FirstBoard({ onMade }: NewBoardProps) {
  const mayMake = whyNotLeadAny() === undefined
  return (
    <div class={mayMake ? 'board-first card' : 'empty'}>
      <h2>{words.board.first.title}</h2>
      <p class="quiet">{mayMake ? words.board.first.lead : words.board.first.ask}</p>
      {mayMake && <NewBoard onMade={onMade} />}
    </div>
  )
}

/** Creates a board with its stages, in an existing or a new project. */
export function NewBoard({ onMade, onCancel }: NewBoardProps) {
  const form = useForm('board', {
    ...{ project: { id: '', label: '' }, projectName: '', name: '', stages: words.board.first.usual.join('\n') },
  })
  const { values } = form
  const inProject = mayAdminister() ? words.board.first.inProject : words.board.first.inMine
  // a new project stays if the server then refuses its board
  const made = useRef<{ name: string; id: string } | undefined>(undefined)
  const make = async () => {
    const sent = await form.send(async ({ project, projectName, name, stages }, { idempotencyKey }) => {
      if (project.id === '' && made.current?.name !== projectName) {
        const { id } = await tw().projects.create(
          { name: projectName },
          { idempotencyKey: `${idempotencyKey}-project` },
        )
        made.current = { name: projectName, id }
      }
      const projectId = project.id || made.current?.id || null
      const names = stages.split('\n').flatMap((line) => line.trim() || [])
      const body = { name: name.trim() || projectName || project.label, projectId, stages: names }
      return tw().workspaces.create(body, { idempotencyKey })
    })
    if (sent.done) onMade(sent.value.id)
  }
  return (
    <FormBox
      {...{ error: form.error, isBusy: form.isBusy, submit: words.board.first.make }}
      {...(onCancel && { onCancel })}
      onSubmit={() => void make()}
    >
      {values.project.id === '' && mayAdminister() && (
        <Field name="projectName" label={words.board.first.project}>
          {(attributes) => (
            <input
              {...attributes}
              dir="auto"
              value={values.projectName}
              onInput={({ currentTarget: { value } }) => form.set({ projectName: value })}
            />
          )}
        </Field>
      )}
      <div>
        <Picker
          label={inProject}
          none={inProject}
          isSingle
          chosen={values.project.id === '' ? [] : [values.project]}
          find={findProjectsToLead}
          onChange={([project = { id: '', label: '' }]) => form.set({ project })}
        />
      </div>
      <Field name="name" label={words.board.first.board} hint={words.board.first.boardHint}>
        {(attributes) => (
          <input
            {...attributes}
            dir="auto"
            value={values.name}
            onInput={({ currentTarget: { value } }) => form.set({ name: value })}
          />
        )}
      </Field>
      <Field name="stages" label={words.board.first.stages}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={4}
            dir="auto"
            value={values.stages}
            onInput={({ currentTarget: { value } }) => form.set({ stages: value })}
          />
        )}
      </Field>
    </FormBox>
  )
}
