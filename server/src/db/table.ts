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

/** The declaration of a resource's table, which stands once, with the resource. */
interface Declaration<Item> {
  /** first part of its event types: `time_entry` */
  noun: string
  /** by verb, a sentence for the docs of its events, beyond those that all nouns share: `moved: 'It has another place.'` */
  tells?: Record<string, string>
  /** whether it stores a name key in `name_key`: the name without case and accents, for order and uniqueness */
  nameKey?: true
  /** by field, the table of the rows that it names */
  refersTo?: { [field in keyof Item]?: string }
  /** by name, tables that only join its rows to others; by column, the table of the rows that it names */
  joins?: Record<string, Record<string, string>>
  /** the texts by which search finds its rows: each write of one updates the lexemes */
  foundBy?: readonly (keyof Item & string)[]
  /** by field, its SQL if it differs from the column of the same name */
  shows?: { [field in keyof Item]?: Sql }
  /** by field, other fields that it needs to be shown correctly */
  needs?: { [field in keyof Item]?: readonly (keyof Item & string)[] }
  /** the ids that may be detached from a row, if any */
  detachable?: DetachableFields
  /** SQL: the time after which a row waits to be purged; default: its deletion */
  goneSince?: 'never' | ((row: Sql) => Sql)
}

/** A table as code for all tables sees it. */
export interface TableDeclaration {
  /** `time_entries` */
  name: string
  table: Sql
  noun: string
  schema: z.ZodType
  tells: Record<string, string>
  nameKey: boolean
  refersTo: Record<string, string>
  joins: Record<string, Record<string, string>>
  /** the texts by which search finds its rows */
  foundBy: readonly string[]
  goneSince: 'never' | ((row: Sql) => Sql)
}

/** A table with org_id, id, version, created_at and updated_at, and the writes that all resources share. */
export interface Table<Item> extends TableDeclaration {
  schema: z.ZodType<Item>
  /** the columns that every read and write returns */
  columns: Columns
  /** removes ids that are being detached from a row */
  strip?: Strip<Item>
  /** @param fields columns in camelCase; undefined values get the column's default */
  insert(db: Db, orgId: string, fields: Record<string, unknown>, now: string): Promise<Item>
  /** @param changes columns in camelCase; undefined values stay. Of the texts for search it must have all or none. */
  update(db: Db, orgId: string, id: string, changes: Record<string, unknown>, now: string): Promise<Item>
  /** Marks a row as deleted; the row stays until it is purged. */
  remove(db: Db, orgId: string, id: string, now: string): Promise<void>
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
 * Declares the table of a resource.
 * @param name `time_entries`
 * @param schema the resource: its fields are the columns, in their order
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
  // each removed id counts in the shown version
  const counted = detachable && { version: Object.keys(detachable) }
  const columns = columnsOf(name, schema, { shows, needs: { ...counted, ...needs } })
  const strip = detachable && stripFields<Item>(detachable)
  /** The columns that are computed from other fields: the name key and the lexemes. */
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
      // the shown version already counts the ids that are being detached
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

/** The time of a change: now, but never before the last change, as a clock may go back or another server's may be ahead. */
const latest = (now: string): Sql => sql`greatest(updated_at, ${now})`

function written<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A write that was to touch one row touched none')
  return row
}
