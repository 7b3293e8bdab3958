import { useSignal } from '@preact/signals'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { edit } from './card-actions.ts'
import type { Desk } from './desk.ts'
import { moveTo } from './sending.ts'
import { type Board, type Card, withoutTask } from './state.ts'

interface CardDialogProps {
  desk: Desk
  card: Card
  board: Board
  onClose: () => void
}

/** Moves a card without dragging: to the top or bottom of a stage. */
export function MoveCard({ desk, card, board, onClose }: CardDialogProps) {
  const stands = desk.rows.peek().find(({ ids }) => ids.includes(card.id))?.stageId ?? ''
  const stage = useSignal(stands)
  const edge = useSignal<'top' | 'bottom'>('bottom')
  const move = () => {
    onClose()
    void moveTo(desk, card.id, edge.value, stage.value)
  }
  return (
    <Dialog title={words.board.moveCard(card.key)} onClose={onClose}>
      <FormBox error={undefined} isBusy={false} submit={words.board.move} onSubmit={move} onCancel={onClose}>
        <Field name="stageId" label={words.board.stage}>
          {(attributes) => (
            <select
              {...attributes}
              value={stage.value}
              onChange={({ currentTarget: { value } }) => {
                stage.value = value
              }}
            >
              {board.columns.map(({ stage: { id, name } }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="place" label={words.board.place}>
          {(attributes) => (
            <select
              {...attributes}
              value={edge.value}
              onChange={({ currentTarget: { value } }) => {
                edge.value = value === 'top' ? 'top' : 'bottom'
              }}
            >
              <option value="top">{words.board.top}</option>
              <option value="bottom">{words.board.bottom}</option>
            </select>
          )}
        </Field>
      </FormBox>
    </Dialog>
  )
}

/** Sets the due date of a card. */
export function SetDueDate({ desk, card, onClose }: CardDialogProps) {
  const form = useForm(`due.${card.id}`, { dueDate: card.dueDate ?? '' })
  const save = async () => {
    const said = words.board.dueSaid(card.key)
    const sent = await form.send(async ({ dueDate }) => {
      const outcome = await edit(desk, card, { dueDate: dueDate || null }, said, true)
      if (!outcome.done) throw outcome.error
    })
    if (sent.done) onClose()
  }
  return (
    <Dialog title={words.board.dueOf(card.key)} onClose={onClose}>
      <FormBox
        {...{ error: form.error, isBusy: form.isBusy, submit: words.board.save, onCancel: onClose }}
        onSubmit={() => void save()}
      >
        <Field name="dueDate" label={words.board.dueDate} hint={words.board.dueHint}>
          {(attributes) => (
            <input
              {...attributes}
              type="date"
              value={form.values.dueDate}
              onInput={({ currentTarget: { value } }) => form.set({ dueDate: value })}
            />
          )}
        </Field>
      </FormBox>
    </Dialog>
  )
}

/** Asks a user who cannot restore the card before deleting it. */
export function DeleteCard({ desk, card, onClose }: CardDialogProps) {
  const ids = desk.rows.peek().find((row) => row.ids.includes(card.id))?.ids ?? []
  const at = ids.indexOf(card.id)
  return (
    <Confirm
      title={words.board.deleteCard(card.key)}
      submit={words.board.delete}
      isDangerous
      write={() => tw().tasks.delete(card.id)}
      said={words.board.deleted(card.key)}
      onClose={onClose}
      onDone={() => {
        desk.loaded.change((board) => withoutTask(board, card))
        desk.wanted.value = ids[at + 1] ?? ids[at - 1]
      }}
    >
      <p dir="auto">{card.name}</p>
      <p class="quiet">{words.board.deleteHint}</p>
    </Confirm>
  )
}
