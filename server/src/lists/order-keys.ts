import { type Sql, sql } from '../db/sql.ts'
import { moments } from './packing.ts'

/** A column that an order is made of, and its values as whole numbers. */
export interface OrderKey {
  column: Sql
  /** SQL: the value as a whole number from 0 */
  number: Sql
  valueAt: (number: number) => unknown
  /** no number is as large */
  most: number
  /** whether rows may be without a value: these come last in both directions */
  empty: boolean
  /** whether the index leaves these out, and another one has their ids */
  apart: boolean
  /** whether a further index has the rows of each project in the order of this key */
  byProject: boolean
}

type Traits = Partial<Pick<OrderKey, 'empty' | 'apart' | 'byProject'>>

/** A moment, to the millisecond. */
export const moment = (column: Sql, { empty = false, apart = false, byProject = false }: Traits = {}): OrderKey => ({
  column,
  number: sql`(extract(epoch from ${column}) * 1000)::bigint`,
  valueAt: (ms) => new Date(ms).toISOString(),
  most: moments,
  empty,
  apart,
  byProject,
})

const dayMs = 86_400_000

/** A calendar day. */
export const day = (column: Sql, { empty = false, apart = false, byProject = false }: Traits = {}): OrderKey => ({
  column,
  number: sql`${column} - date '1970-01-01'`,
  valueAt: (days) => new Date(days * dayMs).toISOString().slice(0, 10),
  most: Date.UTC(2100, 0, 1) / dayMs,
  empty,
  apart,
  byProject,
})

/** A rank from 0, of so many. */
export const rank = (column: Sql, count: number): OrderKey => ({
  column,
  number: column,
  valueAt: (place) => place,
  most: count,
  empty: false,
  apart: false,
  byProject: false,
})

/** The moment in the id: the order of ids alone. */
export interface IdKey {
  /** whether a further index has the ids of each project */
  byProject: boolean
}

/** The moment in the id, where an index has the ids of each project. */
export const momentOfId: IdKey = { byProject: true }

/** The moment in the id, where only the primary key has the ids. */
export const momentOfIdAlone: IdKey = { byProject: false }
