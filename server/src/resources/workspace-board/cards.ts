import { z } from 'zod'
import { foundBy } from '../../contract/fields.ts'
import { storedTasks, Task } from '../task.ts'
import { besideTask } from '../tasks/include.ts'
import type { BoardRow } from './statement.ts'

/** What is shown on a card, unless other fields are asked for: what a board draws. Where it stands, its stage says. */
export const brief: readonly string[] = ['id', 'key', 'name', 'typeId', 'priority', 'assigneeIds', 'tagIds', 'dueDate']

/** A task, with what may be included beside it. */
export const FullTask = besideTask.Full as unknown as z.ZodObject

const optional = (field: z.core.$ZodType) => (field instanceof z.ZodOptional ? field : z.optional(field))

/** A task on a board. */
export const Card = z
  .strictObject(
    Object.fromEntries(
      Object.entries(FullTask.shape).map(([name, field]) => [name, brief.includes(name) ? field : optional(field)]),
    ),
  )
  .meta({ id: 'Card', description: `A task on a board: ${brief.join(', ')}, or what \`fields\` asks for.` })

/** How many cards one board shows at most: what is long, or many things beside each, makes them fewer. */
export const mostCards = { brief: 1_000, included: 500, described: 100 }

/** The cards of a board. */
interface WantedCards {
  /** the fields that are sent */
  sent: readonly string[]
  /** those that are read: these, and what is needed to find what is included */
  read: readonly string[]
  most: number
}

// a label that is being taken off counts in the version
const behindVersion = ['typeId', 'assigneeIds', 'tagIds']

/** The cards with these fields, and with these parts beside each. */
export function wantedCards(fields: readonly string[] = brief, include: readonly string[] | undefined): WantedCards {
  const beside = include?.flatMap((part) => ['id', ...(foundBy.get(FullTask.shape[part])?.fields ?? [])]) ?? []
  const needed = [...fields, ...beside, ...(fields.includes('version') ? behindVersion : [])]
  const inOrder = (wanted: readonly string[]) => Object.keys(Task.shape).filter((field) => wanted.includes(field))
  // comments are as long as descriptions
  const long = fields.includes('description') || include?.includes('comments')
  const most = long ? mostCards.described : include ? mostCards.included : mostCards.brief
  return { sent: inOrder(fields), read: inOrder(needed), most }
}

/**
 * The cards of each stage as they are sent, with a comma between two.
 * @param detaching what they no longer show
 * @param include adds to cards what else is asked for
 */
export async function cardsShown(
  stages: readonly BoardRow[],
  { sent, read }: WantedCards,
  detaching: string[] | null,
  include: ((texts: readonly string[]) => Promise<string[]>) | undefined,
): Promise<string[]> {
  const joined = stages.map(({ cards }) => cards ?? '')
  const extra = read.filter((field) => !sent.includes(field))
  // nearly always they are sent as the database gives them
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
