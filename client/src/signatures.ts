import type { CallOptions } from './call.ts'
import type { CursorPage, OffsetPage, Pages } from './pages.ts'

/** Options that only some operations heed. */
type Particular = 'ifMatch' | 'ifNoneMatch' | 'idempotencyKey' | 'dryRun' | 'accept'

/** The options of a call: those of every call, and those of this operation. */
export type Options<Own extends Particular = never> = Omit<CallOptions, Exclude<Particular, Own>>

/** A list by offset. */
export type OffsetPages<Item> = Pages<Item, OffsetPage<Item>>

/** A list by cursor. */
export type CursorPages<Item> = Pages<Item, CursorPage<Item>>

/**
 * The fields of an item that the call names; without `fields`, all of them.
 * @typeParam Unasked the fields of the response without `fields`
 */
export type Chosen<Item, Fields extends readonly (keyof Item)[], Unasked extends keyof Item = keyof Item> = [
  Fields,
] extends [never]
  ? [keyof Item] extends [Unasked]
    ? Item
    : Pick<Item, Unasked>
  : Fields extends unknown
    ? Named<Item, Fields[number], Fields>
    : never

/** An item with the parts that `include` names. */
export type With<Item, Parts, Include extends readonly string[]> = Include extends readonly []
  ? Item
  : Item & Named<Parts, Include[number] | `more${Capitalize<Include[number]>}`, Include>

// where the words are known only at run time, each may be among them or not
type Named<Of, Names, Words extends readonly unknown[]> = number extends Words['length']
  ? Partial<Pick<Of, Names & keyof Of>>
  : Pick<Of, Names & keyof Of>
