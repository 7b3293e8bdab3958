import { z } from 'zod'
import { atMostOne, exactlyOne } from '../../contract/across-fields.ts'
import { badRequest } from '../../contract/errors.ts'
import { Id } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventNoun } from '../../events/event-type.ts'
import type { Emit } from '../../events/outbox.ts'

/**
 * The distance between new positions. A row can be put beside another one 24 times before the rows around must be
 * respaced. Half a billion rows fit before a position exceeds 2^53, the largest integer that JSON readers can hold.
 */
export const positionGap = 2 ** 24

/** Rows in one order: the stages of a workspace, the tasks of a stage, the subtasks of a task. */
export interface OrderedRows {
  table: Sql
  orgId: string
  /** condition: the rows of the table in this order */
  among: Sql
}

/** A place beside a neighbour: clients never compute positions. */
export const neighbourFields = {
  beforeId: Id.optional().meta({ description: 'The item to put it directly before.' }),
  afterId: Id.optional().meta({ description: 'The item to put it directly after.' }),
}

/** A place in an order, and the rows that made room for it. */
export interface OrderPlace {
  position: number
  respaced: readonly RespacedRow[]
}

interface RespacedRow {
  id: string
  projectId: string | null
  position: number
}

interface Neighbour {
  beforeId?: string | undefined
  afterId?: string | undefined
}

/** A move names one neighbour, or none. */
export const oneNeighbourAtMost = <Body extends z.ZodObject<typeof neighbourFields>>(body: Body): Body =>
  atMostOne(body, ['beforeId', 'afterId'], 'Send at most one of beforeId and afterId')

/** The body of a move within one order. */
export const Reorder = exactlyOne(
  z.strictObject(neighbourFields),
  ['beforeId', 'afterId'],
  'Exactly one of beforeId and afterId is required',
).meta({ examples: [{ beforeId: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f' }] })

/**
 * The place before or after a neighbour, or the last place without a neighbour. Undefined when the row is already
 * there. If no position is free, this respaces the rows around; `emitRespaced` reports that. The caller must lock the
 * container of the rows.
 * @param movingId the row that moves, if it is already in this order
 * @throws 400 when the neighbour is not among these rows
 */
export async function positionBeside(
  db: Db,
  row: OrderedRows,
  { beforeId, afterId }: Neighbour,
  movingId: string | null = null,
): Promise<OrderPlace | undefined> {
  const neighbourId = beforeId ?? afterId
  if (neighbourId === undefined) return { position: await positionBehind(db, row), respaced: [] }
  for (const respaced = new Map<string, RespacedRow>(); ; ) {
    const placeAt = (position: number) => ({ position, respaced: [...respaced.values()] })
    const { here, next, there } = await neighbourhood(db, row, neighbourId, beforeId !== undefined, movingId)
    if (there) return undefined
    if (next === null) return placeAt(here + (beforeId === undefined ? positionGap : -positionGap))
    const middle = Math.floor((here + next) / 2)
    if (middle !== here && middle !== next) return placeAt(middle)
    for (const one of await respace(db, row, here)) respaced.set(one.id, one)
  }
}

/** The new positions of respaced rows. Each event covers one project, because not every member sees all projects. */
const Respacing = z
  .strictObject({
    of: z.enum(['stage', 'task', 'subtask']).meta({ description: 'The kind of the items.' }),
    projectId: Id.nullable().meta({ description: 'The project of the items.' }),
    // mostly 16; four times as many each time that these have no room
    positions: z.array(z.strictObject({ id: Id, position: z.int().meta({ examples: [16_777_216] }) })).max(65_536),
  })
  .meta({ id: 'Respacing', description: 'The new positions of stages, tasks or subtasks, in the same order.' })

/** The event of an order: the stages of a workspace, the tasks of a stage, or the subtasks of a task. */
export const orderEventNoun: EventNoun = {
  noun: 'order',
  schema: Respacing,
  tells: {
    respaced:
      'The server gave new positions to stages, tasks or subtasks, so that another one fits between them. Their order ' +
      'and their versions stay the same. The resource of the event is the workspace, stage or task that contains them.',
  },
}

/**
 * Emits one event per project for the rows that made room.
 * @param id the workspace, stage or task that contains the rows
 */
export function emitRespaced(
  emit: Emit<'order.respaced'>,
  of: z.output<typeof Respacing>['of'],
  id: string,
  { respaced }: Pick<OrderPlace, 'respaced'>,
): void {
  for (const projectId of new Set(respaced.map((row) => row.projectId))) {
    const ofProject = respaced.filter((row) => row.projectId === projectId)
    const positions = ofProject.map(({ id, position }) => ({ id, position }))
    emit('order.respaced', { of, projectId, positions }, { id })
  }
}

/** Moves a row to the end if another row now has its position. The caller must lock the container of the rows. */
export async function keepPositionOrGoLast(db: Db, { table, orgId, among }: OrderedRows, id: string): Promise<void> {
  await db.rows(sql`
    update ${table} set position = (
      select max(position) + ${positionGap} from ${table} where org_id = ${orgId} and ${among} and deleted_at is null)
    where org_id = ${orgId} and id = ${id} and exists (
      select from ${table} other where other.org_id = ${orgId} and ${among} and other.deleted_at is null
        and other.position = ${table}.position and other.id <> ${table}.id)`)
}

/** The position after all others. The caller must lock the container of the rows. */
export async function positionBehind(db: Db, { table, orgId, among }: OrderedRows): Promise<number> {
  const { last } = expected(
    await db.row<{ last: number }>(sql`
      select coalesce(max(position), 0) as last from ${table} where org_id = ${orgId} and ${among} and deleted_at is null`),
    'A maximum',
  )
  return last + positionGap
}

/**
 * The positions of a neighbour and of the next row beyond it, and whether the moving row is already there: between the
 * two, or the neighbour itself.
 */
async function neighbourhood(
  db: Db,
  { table, orgId, among }: OrderedRows,
  id: string,
  before: boolean,
  movingId: string | null,
): Promise<{ here: number; next: number | null; there: boolean }> {
  const next = before ? sql`max(position)` : sql`min(position)`
  const beyond = before ? sql`<` : sql`>`
  const inRow = sql`org_id = ${orgId} and ${among} and deleted_at is null`
  const places = await db.row<{ here: number; next: number | null; moving: number | null }>(sql`
    with here as (select position from ${table} where id = ${id} and ${inRow})
    select here.position as here, (
      select ${next} from ${table}
      where ${inRow} and position ${beyond} here.position and id is distinct from ${movingId}) as next, (
      select position from ${table} where id = ${movingId} and ${inRow}) as moving
    from here`)
  if (places === undefined) throw badRequest('beforeId or afterId must name an item in the same list', 'not_beside')
  const { here, moving } = places
  const [low, high] = before ? [places.next, here] : [here, places.next]
  const between = moving !== null && (low === null || moving > low) && (high === null || moving < high)
  return { here, next: places.next, there: between || id === movingId }
}

/** The least distance after respacing; if it cannot be kept, more rows are respaced. */
const minGap = 2 ** 10

interface PositionedRow {
  id: string
  position: number
}

/**
 * Spreads as few rows as needed evenly around a position. Their order stays the same, so none gets a new version. A row
 * that left in the meantime is not touched.
 * @returns the rows with new positions
 * @see Itai, Konheim and Rodeh, A sparse table implementation of priority queues (1981)
 */
async function respace(db: Db, { table, orgId, among }: OrderedRows, around: number): Promise<RespacedRow[]> {
  const inRow = sql`org_id = ${orgId} and ${among} and deleted_at is null`
  for (let radius = 8; ; radius *= 4) {
    const [below, above] = await Promise.all([
      db.rows<PositionedRow>(sql`
        select id, position from ${table} where ${inRow} and position <= ${around}
        order by position desc, id desc limit ${radius + 1}`),
      db.rows<PositionedRow>(sql`
        select id, position from ${table} where ${inRow} and position > ${around}
        order by position, id limit ${radius + 1}`),
    ])
    const [low, high] = [below[radius]?.position, above[radius]?.position]
    const rows = [...below.slice(0, radius).reverse(), ...above.slice(0, radius)]
    const positions = spread(rows.length, low, high)
    if (positions === undefined) continue
    return db.rows<RespacedRow>(sql`
      update ${table} set position = moved.to_position
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${positions}::bigint[]) as moved (id, to_position)
      where ${table}.org_id = ${orgId} and ${table}.id = moved.id and ${among} and deleted_at is null
      returning ${table}.id, ${table}.project_id as "projectId", ${table}.position`)
  }
}

/**
 * Ascending positions between two taken ones, or beyond one if the other is undefined. Undefined if there is no room.
 */
function spread(count: number, low: number | undefined, high: number | undefined): number[] | undefined {
  const from = low ?? (high === undefined ? 0 : high - (count + 1) * positionGap)
  const step = low === undefined || high === undefined ? positionGap : Math.floor((high - low) / (count + 1))
  return step < minGap ? undefined : Array.from({ length: count }, (_, i) => from + (i + 1) * step)
}
