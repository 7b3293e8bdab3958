import { useEffect } from 'preact/hooks'
import { useLoaded } from '../../live/loaded.ts'
import { Failure } from '../../parts/failure.tsx'
import { go, hrefOf, place } from '../../router/router.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { FirstBoard } from './first-board.tsx'
import { lastBoard } from './last-board.ts'
import { OpenBoard } from './open-board.tsx'

/** The board in the address, or the last used one. */
export default function Board() {
  const [, , id] = place.value.path.split('/')
  return <div class="board">{id ? <OpenBoard key={id} id={id} /> : <AnyBoard />}</div>
}

/** Opens the last used board, else the first one. Without any board, offers to create one. */
function AnyBoard() {
  const kept = lastBoard()
  const open = (id: string) => go(hrefOf(`/board/${id}`, Object.fromEntries(place.value.query)), { replace: true })
  if (kept) return <Leading to={() => open(kept)} />
  return <FirstOfAll open={open} />
}

function Leading({ to }: { to: () => void }) {
  useEffect(to, [])
  return <h1>{words.views.board}</h1>
}

function FirstOfAll({ open }: { open: (id: string) => void }) {
  const boards = useLoaded(
    'first',
    (signal) => tw().workspaces.list({ limit: 1, fields: ['id'] }, { signal }),
    ({ type }) => (/^(workspace|project|project_member)\./.test(type) ? 'again' : undefined),
  )
  const first = boards.value.value?.data[0]
  useEffect(() => {
    if (first) open(first.id)
  }, [first])
  return (
    <>
      <h1>{words.views.board}</h1>
      {boards.error.value !== undefined && <Failure error={boards.error.value} onRetry={boards.reload} />}
      {boards.value.value === undefined && boards.isLoading.value && (
        <p class="quiet" role="status">
          {words.board.loading}
        </p>
      )}
      {boards.value.value && !first && <FirstBoard onMade={open} />}
    </>
  )
}
