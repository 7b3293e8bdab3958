import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { projectsOf, visibilityOf } from '../../access/visibility.ts'
import { notFound } from '../../contract/errors.ts'
import { foundBy, Id, wholeNumber } from '../../contract/fields.ts'
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
import { storedTasks, Task } from '../task.ts'
import { countedFilters } from '../tasks/filters.ts'
import { besideTask } from '../tasks/include.ts'
import { inStage } from '../tasks/orders.ts'
import { type BoardRow, boardStatement } from './statement.ts'

/**
 * The fields of a card, unless the request names others: those that a board draws. The order of the cards shows their
 * place.
 */
const brief: readonly string[] = ['id', 'key', 'name', 'typeId', 'priority', 'assigneeIds', 'tagIds', 'dueDate']

/** A task, with all parts that `include` can add. */
const FullTask = besideTask.Full as unknown as z.ZodObject

const optional = (field: z.core.$ZodType) => (field instanceof z.ZodOptional ? field : z.optional(field))

const Card = z
  .strictObject(
    Object.fromEntries(
      Object.entries(FullTask.shape).map(([name, field]) => [name, brief.includes(name) ? field : optional(field)]),
    ),
  )
  .meta({
    id: 'Card',
    description: `A task on a board. It has only ${brief.join(', ')}, unless \`fields\` names other fields.`,
  })

/** The maximum number of cards on a board. Long texts and included parts lower it. */
const mostCards = { brief: 1_000, included: 500, described: 100 }

/** The fields of the cards, and their number. */
interface WantedCards {
  /** the fields in the response */
  sent: readonly string[]
  /** the fields to read: those, and the ids that included parts need */
  read: readonly string[]
  most: number
}

// a label that is being detached counts in the version
const behindVersion = ['typeId', 'assigneeIds', 'tagIds']

/** The cards with these fields and included parts. */
function wantedCards(fields: readonly string[] = brief, include: readonly string[] | undefined): WantedCards {
  const beside = include?.flatMap((part) => ['id', ...(foundBy.get(FullTask.shape[part])?.fields ?? [])]) ?? []
  const needed = [...fields, ...beside, ...(fields.includes('version') ? behindVersion : [])]
  const inOrder = (wanted: readonly string[]) => Object.keys(Task.shape).filter((field) => wanted.includes(field))
  // comments can be as long as descriptions
  const long = fields.includes('description') || include?.includes('comments')
  const most = long ? mostCards.described : include ? mostCards.included : mostCards.brief
  return { sent: inOrder(fields), read: inOrder(needed), most }
}

/**
 * The cards of each stage as JSON, with a comma between two.
 * @param detaching ids that the cards no longer show
 * @param include adds the included parts to cards
 */
async function cardsShown(
  stages: readonly BoardRow[],
  { sent, read }: WantedCards,
  detaching: string[] | null,
  include: ((texts: readonly string[]) => Promise<string[]>) | undefined,
): Promise<string[]> {
  const joined = stages.map(({ cards }) => cards ?? '')
  const extra = read.filter((field) => !sent.includes(field))
  // nearly always, the response has them as the database returns them
  if (detaching === null && include === undefined && extra.length === 0) return joined
  const each = joined.map((cards): Task[] => JSON.parse(`[${cards}]`))
  const left = detaching ? each.map((cards) => cards.map((card) => storedTasks.strip(card, detaching))) : each
  const texts = left.flat().map((card) => JSON.stringify(card))
  const full = include ? await include(texts) : texts
  const cut = extra.length === 0 ? full : full.map((text) => without(extra, text))
  const ends = left.map((_, i) => left.slice(0, i + 1).flat().length)
  return left.map(({ length }, i) => cut.slice((ends[i] ?? 0) - length, ends[i]).join())
}

function without(fields: readonly string[], text: string): string {
  const card = JSON.parse(text)
  for (const field of fields) delete card[field]
  return JSON.stringify(card)
}

// the path names the workspace
const { workspaceId, ...cardFilters } = countedFilters

const boardWith = (card: z.ZodType) =>
  z.strictObject({
    workspace: Workspace,
    stages: z
      .array(
        Stage.extend({
          taskCount: z
            .int()
            .min(0)
            .max(2_147_483_647)
            .meta({ description: 'The number of tasks in the stage that you can see and that match the filters.' }),
          tasks: z.array(card).max(100).meta({ description: 'The first of these tasks, from top to bottom.' }),
          nextCursor: Id.nullable().meta({
            description:
              'Use it to get more tasks: `GET /tasks?stageId=…&sort=position&cursor=…`, with the same filters. Null if ' +
              'there are no more.',
          }),
        }).meta({ id: 'FilledStage', description: 'A stage with its first tasks.' }),
      )
      .max(limits.stagesOfWorkspace.most),
  })
const Board = boardWith(Card).meta({
  id: 'Board',
  description: 'A workspace with its stages in order and their first tasks, all read at the same time.',
})

export const board = [
  route('GET /workspaces/{id}/board', {
    name: 'boards.get',
    summary: 'Get a board',
    description:
      'Returns the stages of a workspace in order. Each stage has the number of its tasks and the first of these tasks. ' +
      `The response has at most ${mostCards.brief} tasks, shared evenly among the stages. This limit is ${mostCards.included} ` +
      `with \`include\`, and ${mostCards.described} with descriptions or comments. \`stageId\` and \`stageCategory\` ` +
      'choose the stages. The other filters choose the tasks that are counted and returned.',
    roles: everyone,
    query: z.strictObject({
      perStage: wholeNumber(0, 100)
        .default(50)
        .meta({
          description: 'The maximum number of tasks to return for each stage. Default: 50.',
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

/** The cursor for the tasks of a stage after a position. */
function cursorBehind(cursors: Cursors, orgId: string, position: number): string {
  const place = { run: 0, key: position, id: '' }
  return nextCursorOf(cursors, orgId, inStage(''), place, place)
}
