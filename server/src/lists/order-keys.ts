import { type Sql, sql } from '../db/sql.ts'
import { timeKeyLimit } from './packing.ts'

/** A column to sort by, and its values as whole numbers. */
export interface OrderKey {
  column: Sql
  /** SQL: the value as a whole number from 0 */
  number: Sql
  valueAt: (number: number) => unknown
  /** upper bound: every number is smaller */
  most: number
  /** whether rows may have no value: these come last in both directions */
  empty: boolean
  /** whether the index omits rows without a value, and another one has their ids */
  apart: boolean
  /** whether another index has the rows of each project in the order of this key */
  byProject: boolean
}

type Traits = Partial<Pick<OrderKey, 'empty' | 'apart' | 'byProject'>>

/** A date-time in milliseconds. */
export const moment = (column: Sql, { empty = false, apart = false, byProject = false }: Traits = {}): OrderKey => ({
  column,
  number: sql`(extract(epoch from ${column}) * 1000)::bigint`,
  valueAt: (ms) => new Date(ms).toISOString(),
  most: timeKeyLimit,
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

/** A rank from 0 to `count` - 1. */
export const rank = (column: Sql, count: number): OrderKey => ({
  column,
  number: column,
  valueAt: (place) => place,
  most: count,
  empty: false,
  apart: false,
  byProject: false,
})

/** The time in the id: the order of ids alone. */
export interface IdKey {
  /** whether another index has the ids of each project */
  byProject: boolean
}

/** The time in the id, if an index has the ids of each project. */
export const momentOfId: IdKey = { byProject: true }

/** The time in the id, if only the primary key has the ids. */
export const momentOfIdAlone: IdKey = { byProject: false }
