import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { projectsOf, visibilityOf } from '../../access/visibility.ts'
import { notFound } from '../../contract/errors.ts'
import { Id, wholeNumber } from '../../contract/fields.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { sql } from '../../db/sql.ts'
import type { Cursors } from '../../lists/cursor.ts'
import { nextCursorOf } from '../../lists/cursor-page.ts'
import { matching, parametersOf } from '../../lists/filters.ts'
import { route } from '../../operations/route.ts'
import { Stage } from '../board/stage.ts'
import { Workspace } from '../board/workspaces.ts'
import { limits } from '../limits.ts'
import { countedFilters } from '../tasks/filters.ts'
import { besideTask } from '../tasks/include.ts'
import { inStage } from '../tasks/orders.ts'
import { brief, Card, cardsShown, FullTask, mostCards, wantedCards } from './cards.ts'
import { type BoardRow, boardStatement } from './statement.ts'

// which workspace, the path says
const { workspaceId, ...cardFilters } = countedFilters

const boardWith = (card: z.ZodType) =>
  z.strictObject({
    workspace: Workspace,
    stages: z
      .array(
        Stage.extend({
          taskCount: z.int().min(0).max(2_147_483_647).meta({ description: 'How many of the tasks stand in it.' }),
          tasks: z.array(card).max(100).meta({ description: 'The first of them, from top to bottom.' }),
          nextCursor: Id.nullable().meta({
            description: 'Goes on behind them at GET /tasks?stageId=…&sort=position, with the same filters.',
          }),
        }).meta({ id: 'FilledStage', description: 'A stage with its first tasks.' }),
      )
      .max(limits.stagesOfWorkspace.most),
  })
const Board = boardWith(Card).meta({
  id: 'Board',
  description: 'A workspace with its stages in order and their first tasks, all as they are at one moment.',
})

export const board = [
  route('GET /workspaces/{id}/board', {
    name: 'boards.get',
    summary: 'Read a board: its stages in order, each with its tasks counted and the first of them',
    description: `It shows ${mostCards.brief} cards at most, which its stages share evenly: ${mostCards.included} with \`include\`, ${mostCards.described} with the description of each or its comments. Filters decide which tasks are counted and shown; \`stageId\` and \`stageCategory\` which stages.`,
    roles: everyone,
    query: z.strictObject({
      perStage: wholeNumber(0, 100)
        .default(50)
        .meta({
          description: 'How many cards of each stage at most; default 50.',
          ...{ type: 'integer', minimum: 0, maximum: 100, default: 50 },
        }),
      ...parametersOf(cardFilters),
      include: besideTask.include,
    }),
    returns: Board,
    selects: { item: FullTask, unasked: brief, withItems: boardWith },
    async handle(asked) {
      const { db, caller, cursors, params, query } = asked
      const { stageId, stageCategory, perStage, fields, include, ...filtering } = query
      const cards = wantedCards(fields, include)
      const where = matching(cardFilters, caller, filtering)
      const [workspace, ...stages] = await db.rows<BoardRow>(
        boardStatement(caller, {
          workspaceId: params.id,
          stages: [
            stageId &&
              isAnyOf(
                sql`stages.id`,
                stageId.filter((id) => id !== 'none'),
              ),
            stageCategory && isAnyOf(sql`stages.category`, stageCategory),
          ],
          where,
          filtered: where !== undefined || (query.projectId?.length ?? 0) > 1,
          visible: visibilityOf(caller, sql`tasks`, query.projectId).visible,
          projects: projectsOf(caller, query.projectId),
          perStage,
          most: cards.most,
          fields: cards.read,
        }),
      )
      if (workspace === undefined) throw notFound()
      const shown = await cardsShown(stages, cards, workspace.detaching, besideTask.inTexts(asked))
      const filled = stages.map(({ shown: stage, count, last }, i) => {
        const nextCursor = last === null ? 'null' : `"${cursorBehind(cursors, caller.orgId, last)}"`
        return `${stage.slice(0, -1)},"taskCount":${count},"tasks":[${shown[i]}],"nextCursor":${nextCursor}}`
      })
      return new Prerendered<z.output<typeof Board>>(`{"workspace":${workspace.shown},"stages":[${filled}]}`)
    },
  }),
]

/** The cursor that goes on in a stage, behind a position. */
function cursorBehind(cursors: Cursors, orgId: string, position: number): string {
  const place = { run: 0, key: position, id: '' }
  return nextCursorOf(cursors, orgId, inStage(''), place, place)
}
