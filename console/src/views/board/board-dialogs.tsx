import type { Workspace } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Meanwhile, useEdit } from '../../parts/edit.tsx'
import { Field, FormBox } from '../../parts/form.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { DeleteCard, MoveCard, SetDueDate } from './card-dialogs.tsx'
import type { Desk, OpenDialog } from './desk.ts'
import { NewBoard } from './first-board.tsx'
import { DeleteStage, EditStage, NewStage } from './stage-dialogs.tsx'
import type { Board } from './state.ts'

interface BoardDialogProps {
  desk: Desk
  board: Board
  asked: OpenDialog
}

/** The dialogs about a card, a stage or the board. */
export default function BoardDialog({ desk, board, asked }: BoardDialogProps) {
  const onClose = () => {
    desk.dialog.value = undefined
  }
  switch (asked.is) {
    case 'move':
      return <MoveCard {...{ desk, board, onClose }} card={asked.card} />
    case 'due':
      return <SetDueDate {...{ desk, board, onClose }} card={asked.card} />
    case 'delete':
      return <DeleteCard {...{ desk, board, onClose }} card={asked.card} />
    case 'stage':
      return <EditStage stage={asked.stage} onClose={onClose} />
    case 'delete stage':
      return <DeleteStage {...{ board, onClose }} stage={asked.stage} />
    case 'new stage':
      return <NewStage board={board} onClose={onClose} />
    case 'name':
      return <RenameBoard workspace={board.workspace} onClose={onClose} />
    case 'new board':
      return (
        <Dialog title={words.board.newBoard} onClose={onClose}>
          <NewBoard
            onMade={(id) => {
              onClose()
              go(hrefOf(`/board/${id}`))
            }}
            onCancel={onClose}
          />
        </Dialog>
      )
  }
}

function RenameBoard({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const edit = useEdit({
    ...{ what: `board.${workspace.id}`, now: workspace, fields: ['name'] as const },
    read: () => tw().workspaces.get(workspace.id),
    update: (changes, options) => tw().workspaces.update(workspace.id, changes, options),
    said: words.board.saved,
  })
  const { form } = edit
  const save = async () => {
    if ((await edit.save()).done) onClose()
  }
  return (
    <Dialog title={words.board.renameBoard} onClose={onClose}>
      <FormBox
        {...{ error: form.error, isBusy: form.isBusy, submit: words.board.save, onCancel: onClose }}
        onSubmit={() => void save()}
      >
        <Field name="name" label={words.board.first.board}>
          {(attributes) => (
            <input
              {...attributes}
              dir="auto"
              value={form.values.name}
              onInput={({ currentTarget: { value } }) => form.set({ name: value })}
            />
          )}
        </Field>
        <Meanwhile edit={edit} labels={{ name: words.board.first.board }} onSaved={onClose} />
      </FormBox>
    </Dialog>
  )
}
