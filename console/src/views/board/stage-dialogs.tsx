import { useSignal } from '@preact/signals'
import type { Stage } from '@taskwright/client'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Meanwhile, useEdit } from '../../parts/edit.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { mayAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Board } from './state.ts'

type StageValues = Pick<Stage, 'name' | 'category' | 'wipLimit'>

/** Creates a stage at the end of a board. */
export function NewStage({ board, onClose }: { board: Board; onClose: () => void }) {
  const form = useForm<StageValues>(`stage.${board.workspace.id}`, { name: '', category: 'doing', wipLimit: null })
  const add = async () => {
    const sent = await form.send(
      (values, { idempotencyKey }) => tw().stages.create(board.workspace.id, values, { idempotencyKey }),
      words.board.stageAdded,
    )
    if (sent.done) onClose()
  }
  return (
    <Dialog title={words.board.addStage} onClose={onClose}>
      <FormBox
        {...{ error: form.error, isBusy: form.isBusy, submit: words.board.addStage, onCancel: onClose }}
        onSubmit={() => void add()}
      >
        <StageFields values={form.values} set={form.set} />
      </FormBox>
    </Dialog>
  )
}

/** Edits the name, category and WIP limit of a stage. */
export function EditStage({ stage, onClose }: { stage: Stage; onClose: () => void }) {
  const edit = useEdit({
    ...{ what: `stage.${stage.id}`, now: stage, fields: ['name', 'category', 'wipLimit'] as const },
    read: () => tw().stages.get(stage.id),
    update: (changes, options) => tw().stages.update(stage.id, changes, options),
    said: words.board.saved,
  })
  const { form } = edit
  const save = async () => {
    if ((await edit.save()).done) onClose()
  }
  return (
    <Dialog title={words.board.editStage} onClose={onClose}>
      <FormBox
        {...{ error: form.error, isBusy: form.isBusy, submit: words.board.save, onCancel: onClose }}
        onSubmit={() => void save()}
      >
        <StageFields values={form.values} set={form.set} />
        <Meanwhile
          edit={edit}
          labels={{ name: words.board.stageName, category: words.board.category, wipLimit: words.board.wipLimit }}
          onSaved={onClose}
        />
      </FormBox>
    </Dialog>
  )
}

function StageFields({ values, set }: { values: StageValues; set: (change: Partial<StageValues>) => void }) {
  return (
    <>
      <Field name="name" label={words.board.stageName}>
        {(attributes) => (
          <input
            {...attributes}
            dir="auto"
            value={values.name}
            onInput={({ currentTarget: { value } }) => set({ name: value })}
          />
        )}
      </Field>
      <Field name="category" label={words.board.category} hint={words.board.categoryHint}>
        {(attributes) => (
          <select
            {...attributes}
            value={values.category}
            onChange={({ currentTarget: { value } }) => set({ category: value as Stage['category'] })}
          >
            {(['todo', 'doing', 'done'] as const).map((category) => (
              <option key={category} value={category}>
                {words.board.categories[category]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="wipLimit" label={words.board.wipLimit} hint={words.board.wipHint}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={1}
            value={values.wipLimit ?? ''}
            onInput={({ currentTarget: { value } }) => set({ wipLimit: value === '' ? null : Number(value) })}
          />
        )}
      </Field>
    </>
  )
}

/** Deletes a stage and moves its tasks to another one. */
export function DeleteStage({ board, stage, onClose }: { board: Board; stage: Stage; onClose: () => void }) {
  const others = board.columns.filter((column) => column.stage.id !== stage.id)
  const taker = useSignal(others[0]?.stage.id ?? '')
  return (
    <Confirm
      title={words.board.deleteStage}
      submit={words.board.delete}
      isDangerous
      write={() => tw().stages.delete(stage.id, taker.value === '' ? {} : { moveTasksTo: taker.value })}
      said={words.board.stageDeleted}
      {...(mayAdminister() && { undo: () => tw().stages.restore(stage.id) })}
      onClose={onClose}
    >
      <p dir="auto">{stage.name}</p>
      {!mayAdminister() && <p class="quiet">{words.board.deleteHint}</p>}
      {others.length > 0 && (
        <Field name="moveTasksTo" label={words.board.moveTasksTo}>
          {(attributes) => (
            <select
              {...attributes}
              value={taker.value}
              onChange={({ currentTarget: { value } }) => {
                taker.value = value
              }}
            >
              {others.map(({ stage: { id, name } }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </Confirm>
  )
}
