import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sql } from '../../src/db/sql.ts'
import { prepared } from '../../src/db/statements.ts'

test('nobody takes more than half of the names that others left, and all share what they have in common', () => {
  const named = (who: string, kind: string, count: number) =>
    Array.from({ length: count }, (_, n) => prepared(new Sql([`select '${kind}', ${n}`], []), who)).filter(
      ({ name }) => name !== undefined,
    ).length
  assert.deepEqual([named('first', 'one', 600), named('second', 'other', 600)], [250, 125])
  assert.equal(named('first', 'more', 600), 0)
  assert.equal(named('third', 'one', 250), 250)
  assert.equal(named('third', 'its own', 600), 63)
})

test('statements that are planned for their values have names of their own, fewer, so that they take none from the others', () => {
  const named = (customPlan: boolean, count: number) =>
    Array.from({ length: count }, (_, n) => prepared(new Sql([`select 'by values', ${n}`], [], customPlan))).flatMap(
      ({ name }) => name ?? [],
    )
  const forValues = named(true, 600)
  assert.equal(forValues.length, 100)
  assert.deepEqual(named(true, 100), forValues)
  const others = new Set(named(false, 10))
  assert.ok(forValues.every((name) => !others.has(name)))
})
