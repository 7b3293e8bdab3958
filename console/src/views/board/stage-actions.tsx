import { act } from '../../act/act.ts'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { whyNotLead, whyNotWork, whyNotWorkIn } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import type { Board, Column } from './state.ts'

/** Whether the user can change stages: they lead the project, or administer the organization if there is no project. */
export const mayShape = ({ workspace }: Board): boolean => whyNotLead(workspace.projectId) === undefined

/** The reason why the user cannot create tasks on a board, as a sentence; undefined if they can. */
export const whyNotAdd = ({ workspace: { projectId } }: Board): string | undefined =>
  projectId === null ? whyNotWork() : whyNotWorkIn(projectId)

/** The head of a column: a button for a new task, and the menu of the stage. */
export function StageActions({ desk, board, column }: { desk: Desk; board: Board; column: Column }) {
  const { stage } = column
  return (
    <>
      {mayShape(board) && (
        <Menu label={words.board.stageActions(stage.name)} class="icon" items={() => itemsOf(desk, board, column)}>
          <span aria-hidden="true">⋯</span>
        </Menu>
      )}
      {whyNotAdd(board) === undefined && (
        <button
          type="button"
          class="icon"
          aria-label={words.board.newTaskIn(stage.name)}
          onClick={() => {
            desk.adding.value = stage.id
          }}
        >
          <span aria-hidden="true">+</span>
        </button>
      )}
    </>
  )
}

function itemsOf(desk: Desk, board: Board, column: Column): readonly MenuItem[] {
  const { stage } = column
  const at = board.columns.findIndex((each) => each.stage.id === stage.id)
  const [before, behind] = [board.columns[at - 1]?.stage.id, board.columns[at + 1]?.stage.id]
  const ask = (is: 'stage' | 'delete stage') => () => {
    desk.dialog.value = { is, stage }
  }
  const move = (body: { beforeId: string } | { afterId: string }) =>
    void act(({ idempotencyKey }) => tw().stages.move(stage.id, body, { idempotencyKey }))
  return [
    { label: words.board.editStage, run: ask('stage') },
    { label: words.board.stageLeft, isDisabled: !before, run: () => before && move({ beforeId: before }) },
    { label: words.board.stageRight, isDisabled: !behind, run: () => behind && move({ afterId: behind }) },
    {
      label: words.board.addStage,
      run: () => {
        desk.dialog.value = { is: 'new stage' }
      },
    },
    { label: words.board.deleteStage, isDangerous: true, run: ask('delete stage') },
  ]
}
