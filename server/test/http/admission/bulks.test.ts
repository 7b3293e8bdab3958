import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { ActiveTenants } from '../../../src/db/work-budget.ts'
import { BulkPlaces } from '../../../src/http/admission/bulks.ts'

test('beside others a hundred bulks of an organization wait, the next is refused; one whose client leaves is not run, and leaves its place', async () => {
  const active = new ActiveTenants()
  const [busy, quiet] = [randomUUID(), randomUUID()]
  for (const orgId of [busy, quiet]) active.note(orgId)
  const places = new BulkPlaces(active)
  const [leaving, staying] = [new Socket(), new Socket()]
  const { promise: released, resolve: release } = withResolvers()
  let begun = 0
  const run = (socket: Socket) =>
    places.run(busy, socket, async () => {
      begun++
      await released
    })
  const atWork = Math.ceil(Math.max(2, availableParallelism()) / 2)
  const kept = Array.from({ length: atWork + 99 }, () => run(staying))
  const left = run(leaving)
  await assert.rejects(run(staying), { status: 503 })
  leaving.destroy()
  await assert.rejects(left, { status: 503 })
  await assert.rejects(run(leaving), { status: 503 })
  kept.push(run(staying))
  assert.equal(begun, atWork)
  release()
  await Promise.all(kept)
  assert.equal(begun, atWork + 100)
})

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
