import type { z } from 'zod'
import { type Columns, columnsOf } from './columns.ts'
import type { Db } from './db.ts'
import {
  countDetaching,
  type DetachableFields,
  type Strip,
  stripFields,
  stripRow,
  withDetaching,
} from './detachments.ts'
import { expected } from './expected.ts'
import { newId } from './ids.ts'
import { foldingTexts, mayBeLong, type Texts } from './lexemes.ts'
import { normalizeText } from './normalize-text.ts'
import { type Sql, sql } from './sql.ts'
import { Steps } from './steps.ts'

type Schema<Item> = z.ZodType<Item> & { shape: object }

/** What is said of the table of a resource, once, where the resource lives. */
interface Declaration<Item> {
  /** how its events begin: `time_entry` */
  noun: string
  /** by verb, what its events say beyond what those of all nouns say: `moved: 'It has another place.'` */
  tells?: Record<string, string>
  /** whether it keeps its name without case and accents, for order and uniqueness, in `name_key` */
  nameKey?: true
  /** by field, the table whose rows it names */
  refersTo?: { [field in keyof Item]?: string }
  /** by name, the tables whose rows only join it to others: by column, the table whose rows it names */
  joins?: Record<string, Record<string, string>>
  /** the texts that its rows are found by: each write that sets one keeps their lexemes */
  foundBy?: readonly (keyof Item & string)[]
  /** by field, what it shows where that is not the column of its name */
  shows?: { [field in keyof Item]?: Sql }
  /** by field, the others without which it is not shown as it is */
  needs?: { [field in keyof Item]?: readonly (keyof Item & string)[] }
  /** the ids that may be detached from a row, if any */
  detachable?: DetachableFields
  /** since when a row is as good as gone, to be purged; default: since it was deleted */
  goneSince?: 'never' | ((row: Sql) => Sql)
}

/** What code that handles all tables knows of each. */
export interface Declared {
  /** `time_entries` */
  name: string
  table: Sql
  noun: string
  schema: z.ZodType
  tells: Record<string, string>
  nameKey: boolean
  refersTo: Record<string, string>
  joins: Record<string, Record<string, string>>
  /** the texts that its rows are found by */
  foundBy: readonly string[]
  goneSince: 'never' | ((row: Sql) => Sql)
}

/** A table with org_id, id, version, created_at and updated_at, and the writes that every resource shares. */
export interface Table<Item> extends Declared {
  schema: z.ZodType<Item>
  /** how a row is shown; every write answers it so */
  columns: Columns
  /** leaves out of a row what is being detached */
  strip?: Strip<Item>
  /** @param fields columns in camelCase; what is undefined is left to the column's default */
  insert(db: Db, orgId: string, fields: Record<string, unknown>, now: string): Promise<Item>
  /** @param changes columns in camelCase; what is undefined stays as it is. Of the texts that it is found by, all or none. */
  update(db: Db, orgId: string, id: string, changes: Record<string, unknown>, now: string): Promise<Item>
  /** Makes it invisible; the row stays until it is purged. */
  remove(db: Db, orgId: string, id: string, now: string): Promise<void>
  /** Brings back what was removed. */
  restore(db: Db, orgId: string, id: string, now: string): Promise<Item>
}

export function table<Item extends object>(
  name: string,
  schema: Schema<Item>,
  declaration: Declaration<Item> & { detachable: DetachableFields },
): Table<Item> & { strip: Strip<Item> }
export function table<Item extends object>(
  name: string,
  schema: Schema<Item>,
  declaration: Declaration<Item>,
): Table<Item>
/**
 * @param name `time_entries`
 * @param schema what is shown of a row: its fields are the columns, in their order
 */
export function table<Item extends object>(
  name: string,
  schema: Schema<Item>,
  declaration: Declaration<Item>,
): Table<Item> {
  const {
    noun,
    tells = {},
    nameKey = false,
    refersTo = {},
    joins = {},
    foundBy = [],
    shows,
    needs,
    detachable,
    goneSince = since,
  } = declaration
  const named = sql.named(name)
  // each id that is left out counts in the version that is shown
  const counted = detachable && { version: Object.keys(detachable) }
  const columns = columnsOf(name, schema, { shows, needs: { ...counted, ...needs } })
  const strip = detachable && stripFields<Item>(detachable)
  /** What is computed from other fields: the name without case and accents, and what the row is found by. */
  const derived = async (orgId: string, fields: Record<string, unknown>) => {
    const nameKeyed = nameKey && typeof fields.name === 'string' ? { nameKey: normalizeText(fields.name) } : {}
    if (foundBy.every((text) => fields[text] === undefined)) return nameKeyed
    const texts = Object.fromEntries(
      foundBy.map((text) => [text, expected(fields[text], `The ${text} beside other texts`)]),
    )
    const { longText, lexemes } = await new Steps(orgId).run(foldingTexts(orgId, texts as Texts))
    return { ...nameKeyed, lexemes, ...(mayBeLong(foundBy) && { longText }) }
  }
  return {
    ...{ name, table: named, noun, tells, nameKey, refersTo: refersTo as Record<string, string>, joins, goneSince },
    ...{ foundBy, schema, columns, ...(strip && { strip }) },
    async insert(db, orgId, fields, now) {
      const texts = Object.fromEntries(foundBy.map((text) => [text, fields[text] ?? null]))
      const row = { orgId, id: newId(), ...fields, ...(await derived(orgId, { ...fields, ...texts })) }
      return written(
        await db.row<Item>(
          sql`insert into ${named} ${sql.values({ ...row, createdAt: now, updatedAt: now })} returning ${columns}`,
        ),
      )
    },
    async update(db, orgId, id, changes, now) {
      // what is being detached was counted in the version that was shown
      const replaced = Object.entries(detachable ?? {}).filter(([field]) => changes[field] !== undefined)
      const more = await derived(orgId, changes)
      const lost = replaced.map(([, ids]) => sql` + ${countDetaching(orgId, ids)}`)
      const row = written(
        await db.row<Item>(sql`
          update ${named} set ${sql.set({ ...changes, ...more, updatedAt: latest(now) })}, version = version + 1${sql.join(lost, '')}
          where org_id = ${orgId} and id = ${id} returning ${columns}${detachable ? withDetaching(orgId) : sql.empty}`),
      )
      return strip ? stripRow(row, strip) : row
    },
    async remove(db, orgId, id, now) {
      written(
        await db.row(sql`
          update ${named} set deleted_at = ${now}, updated_at = ${latest(now)}, version = version + 1
          where org_id = ${orgId} and id = ${id} returning id`),
      )
    },
    async restore(db, orgId, id, now) {
      const row = written(
        await db.row<Item>(sql`
          update ${named} set deleted_at = null, updated_at = ${latest(now)}, version = version + 1
          where org_id = ${orgId} and id = ${id} returning ${columns}${detachable ? withDetaching(orgId) : sql.empty}`),
      )
      return strip ? stripRow(row, strip) : row
    },
  }
}

const since = (row: Sql) => sql`${row}.deleted_at`

/** When a row was changed: now, but never before its last change, should a clock be set back or another server's be ahead. */
const latest = (now: string): Sql => sql`greatest(updated_at, ${now})`

function written<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A write that was to touch one row touched none')
  return row
}
