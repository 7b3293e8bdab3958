import { NotFoundError } from '@taskwright/client'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Lazily } from '../../frame/lazily.tsx'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { Failure } from '../../parts/failure.tsx'
import { Menu } from '../../parts/menu.tsx'
import { findWorkspaces } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { whyNotLeadAny } from '../../session/may.ts'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Columns } from './columns.tsx'
import { useBoardCommands } from './commands.ts'
import { type Desk, deskOf } from './desk.ts'
import { currentFilter, isFiltered } from './filter.ts'
import { Filters } from './filters.tsx'
import { keepBoard, lastBoard } from './last-board.ts'
import { reacted } from './reactions.ts'
import { readBoard } from './reading.ts'
import { useRunning } from './running.ts'
import { sendMove } from './sending.ts'
import { mayShape } from './stage-actions.tsx'
import type { Board } from './state.ts'

/** An open board, kept current. */
export function OpenBoard({ id }: { id: string }) {
  const filter = currentFilter()
  const loaded: Loaded<Board> = useLoaded<Board>(
    id,
    (signal) => readBoard(id, filter, loaded.value.peek(), signal),
    (event, now) => reacted(event, now, filter, me().member.id),
  )
  const desk = useMemo(() => deskOf(loaded, sendMove), [])
  desk.filter = filter
  const asked = desk.dialog.value
  useBoardCommands(desk)
  useRunning()
  const filtered = JSON.stringify(filter)
  useLater(loaded.reload, [filtered])
  const board = loaded.value.value
  const error = loaded.error.value
  useEffect(() => {
    if (board) keepBoard(id)
    else if (error instanceof NotFoundError && lastBoard() === id) keepBoard(undefined)
  }, [board === undefined, error])
  return (
    <>
      <div class="view-head board-head">
        <h1>{words.views.board}</h1>
        <span class="board-switch">
          <Picker
            label={words.board.choose}
            chosen={board ? [{ id, label: board.workspace.name }] : []}
            find={findWorkspaces}
            isSingle
            onChange={([chosen]) => {
              if (chosen) go(hrefOf(`/board/${chosen.id}`))
            }}
          />
        </span>
        {board && <BoardMenu desk={desk} board={board} />}
        {board && <Filters board={board} filter={filter} />}
      </div>
      {error !== undefined && <Failure error={error} onRetry={loaded.reload} />}
      {board === undefined && error === undefined && (
        <p class="quiet" role="status">
          {words.board.loading}
        </p>
      )}
      {board && <Columns desk={desk} board={board} filter={filter} isFiltered={isFiltered(filter)} />}
      {board && asked && <Lazily load={loadDialog} props={{ desk, board, asked }} />}
    </>
  )
}

const loadDialog = () => import('./board-dialogs.tsx')

function BoardMenu({ desk, board }: { desk: Desk; board: Board }) {
  const ask = (is: 'name' | 'new stage' | 'new board') => () => {
    desk.dialog.value = { is }
  }
  const shaping = [
    { label: words.board.renameBoard, run: ask('name') },
    { label: words.board.addStage, run: ask('new stage') },
  ]
  const making = [{ label: words.board.newBoard, run: ask('new board') }]
  const items = [...(mayShape(board) ? shaping : []), ...(whyNotLeadAny() === undefined ? making : [])]
  if (items.length === 0) return null
  return (
    <Menu label={words.board.boardActions} class="icon board-menu" items={items}>
      <span aria-hidden="true">⋯</span>
    </Menu>
  )
}

/** Runs when an input changes, but not on the first render. */
function useLater(run: () => void, inputs: readonly unknown[]) {
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else run()
  }, inputs)
}
