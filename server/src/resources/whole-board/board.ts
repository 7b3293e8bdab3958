import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { visibilityOf } from '../../access/visibility.ts'
import { notFound } from '../../contract/errors.ts'
import { Id, wholeNumber } from '../../contract/fields.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { sql } from '../../db/sql.ts'
import type { Cursors } from '../../lists/cursor.ts'
import { nextCursorOf } from '../../lists/cursor-page.ts'
import { stripItems } from '../../lists/joined-items.ts'
import { route } from '../../operations/route.ts'
import { Stage } from '../board/stage.ts'
import { Workspace } from '../board/workspaces.ts'
import { limits } from '../limits.ts'
import { storedTasks, Task } from '../task.ts'
import { filters, matching } from '../tasks/filters.ts'
import { inStage } from '../tasks/orders.ts'
import { type BoardRow, boardStatement } from './statement.ts'

const { workspaceId, ...ofCards } = filters

/** What is shown on a card, unless other fields are asked for. */
const brief = ['id', 'key', 'name', 'typeId', 'priority', 'assigneeIds', 'tagIds', 'dueDate'] as const

/** How many cards a board shows at most, shared evenly by its stages. */
const mostCards = 1_000

/** A task on a board. */
const Card = Task.partial()
  .required({
    id: true,
    key: true,
    name: true,
    typeId: true,
    priority: true,
    assigneeIds: true,
    tagIds: true,
    dueDate: true,
  })
  .meta({ id: 'Card', description: `A task on a board: ${brief.join(', ')}.` })

const FilledStage = Stage.extend({
  taskCount: z.int().min(0).meta({ description: 'How many tasks stand in it, of those that are asked for.' }),
  tasks: z.array(Card).max(100).meta({ description: 'The first of them, from top to bottom.' }),
  nextCursor: Id.nullable().meta({ description: 'Goes on at GET /tasks?stageId=…&sort=position.' }),
}).meta({ id: 'FilledStage', description: 'A stage with its first tasks.' })

/** A workspace with its stages and their first tasks. */
const Board = z
  .strictObject({ workspace: Workspace, stages: z.array(FilledStage).max(limits.stagesOfWorkspace.most) })
  .meta({ id: 'Board', description: 'A workspace with its stages and their first tasks, as they are at one moment.' })

export const board = [
  route('GET /workspaces/{id}/board', {
    summary: 'Read a board: its stages in order, with their tasks counted and the first ones of each',
    roles: everyone,
    query: z.strictObject({
      perStage: wholeNumber(0, 100)
        .default(50)
        .meta({
          description: `How many cards of each stage at most; default 50. All stages show ${mostCards} together at most, shared evenly.`,
          ...{ type: 'integer', minimum: 0, maximum: 100, default: 50 },
        }),
      ...ofCards,
    }),
    returns: Board,
    async handle({ db, caller, cursors, params, query }) {
      const { stageId, stageCategory, perStage, ...filtering } = query
      const rows = await db.rows<BoardRow>(
        boardStatement(caller, {
          workspaceId: params.id,
          stages: [
            stageId && sql`stages.id = any(${[stageId].flat()}::uuid[])`,
            stageCategory && sql`stages.category = any(${[stageCategory].flat()})`,
          ],
          where: matching(caller, filtering),
          visibility: visibilityOf(caller, sql`tasks`, query.projectId),
          perStage,
          most: mostCards,
          fields: brief,
        }),
      )
      const [workspace, ...stages] = rows
      if (workspace === undefined) throw notFound()
      const shown = stages.map(({ shown, count, cards, last }) => {
        const left = workspace.detaching && cards ? stripItems(cards, storedTasks.strip, workspace.detaching) : cards
        const nextCursor = last === null ? null : cursorBehind(cursors, caller.orgId, last)
        return `${shown.slice(0, -1)},"taskCount":${count},"tasks":[${left ?? ''}],"nextCursor":${JSON.stringify(nextCursor)}}`
      })
      return new Prerendered<z.output<typeof Board>>(`{"workspace":${workspace.shown},"stages":[${shown}]}`)
    },
  }),
]

/** The cursor that goes on in a stage, behind a position. */
function cursorBehind(cursors: Cursors, orgId: string, position: number): string {
  const place = { run: 0, key: position, id: '' }
  return nextCursorOf(cursors, orgId, inStage(''), place, place)
}
