import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { failureSentence } from '../../act/failures.ts'
import { tell } from '../../act/notices.ts'
import { words } from '../../words.ts'
import { Carried, Carrying } from './carried.tsx'
import { StageColumn } from './column.tsx'
import type { Desk } from './desk.ts'
import type { Filter } from './filter.ts'
import { followBoardKeys } from './keys.ts'
import { NewTask } from './new-task.tsx'
import { followPointer } from './pointer.ts'
import { readMore } from './reading.ts'
import { StageActions } from './stage-actions.tsx'
import type { Board, Column } from './state.ts'

interface ColumnsProps {
  desk: Desk
  board: Board
  filter: Filter
  isFiltered: boolean
}

/** The stages of a board, side by side. */
export function Columns({ desk, board, filter, isFiltered }: ColumnsProps) {
  const root = useRef<HTMLElement>(null)
  const more = useMemo(() => moreOf(desk), [])
  more.filter = filter
  const rowHeight = heightOfRow()
  // a layout effect, to act before the next key press
  useLayoutEffect(() => {
    if (!root.current) return
    const ends = [followPointer(root.current, desk, heightOfRow), followBoardKeys(root.current, desk)]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  // others move cards too
  useEffect(() => desk.does({ does: 'look again' }), [desk.rows.value])
  return (
    <>
      <p id="board-keys" hidden>
        {words.board.keys}
      </p>
      <p id="board-keys-to-see" hidden>
        {words.board.keysToSee}
      </p>
      {board.columns.length === 0 && <p class="empty">{words.board.noStages}</p>}
      <section ref={root} class="board-columns" aria-label={words.board.region}>
        {desk.columns.value.map((column) => (
          <StageColumn
            key={column.stage.id}
            column={column}
            desk={desk}
            named={board.named}
            rowHeight={rowHeight}
            isFiltered={isFiltered}
            onNearEnd={more.read}
            actions={<StageActions desk={desk} board={board} column={column} />}
          >
            {desk.adding.value === column.stage.id && <NewTask desk={desk} board={board} stageId={column.stage.id} />}
          </StageColumn>
        ))}
      </section>
      <Carried desk={desk} board={board} />
      <Carrying desk={desk} board={board} />
    </>
  )
}

// rem; a card with the gap after it, see card.css
const cardRows = 6.75

const heightOfRow = () => cardRows * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Reads more cards, one page at a time per column. */
function moreOf(desk: Desk) {
  const reading = new Set<string>()
  const more = {
    filter: {} as Filter,
    async read({ stage }: Column) {
      const column = desk.loaded.value.peek()?.columns.find((each) => each.stage.id === stage.id)
      if (!column || reading.has(stage.id)) return
      reading.add(stage.id)
      try {
        const page = await readMore(column, more.filter, new AbortController().signal)
        if (page) desk.loaded.change(page)
      } catch (error) {
        tell(failureSentence(error), { isFailure: true })
      }
      reading.delete(stage.id)
    },
  }
  return more
}
