import assert from 'node:assert/strict'
import { test } from 'node:test'
import { general } from '../src/arguments/general.ts'
import { operations, shapes } from '../src/generated/operations.ts'
import { flagsOf, positionalsOf } from '../src/operations/flags.ts'
import { takenBy } from '../src/operations/taken.ts'
import { wordsOf } from '../src/operations/words.ts'
import { columnsOf, includableBy } from '../src/output/columns.ts'
import { type } from './support/typing.ts'

// what only goes by its id
const nameless = /^(apiKeys|subtasks|comments|timeEntries|webhooks|webhooks\.deliveries|deliveries)\.\w+ id$/
const namelessFields = ['subtaskId', 'resourceId', 'keyId', 'beforeId', 'afterId', 'id']

test('every id either has a known kind of name, or is marked as usable by its id only', () => {
  const ids = operations.flatMap(({ name, parameters }) =>
    parameters
      .filter((one) => one.type === 'id' && !one.of)
      .map((one) => ({ at: `${name} ${one.name}`, field: one.name })),
  )
  assert.deepEqual(
    ids.filter(({ at, field }) => !nameless.test(at) && !namelessFields.includes(field)),
    [],
  )
})

test('no two flags of an operation have the same name, and none hides a flag of every command', () => {
  for (const operation of operations) {
    const names = flagsOf(operation).flatMap(({ name, others }) => [name, ...others])
    assert.deepEqual(names, [...new Set(names)], operation.name)
    // of a comment it is its text
    assert.deepEqual(
      names.filter((name) => Object.hasOwn(general, name) && name !== 'body'),
      [],
      operation.name,
    )
    assert.ok(flagsOf(operation).every(({ name }) => Object.hasOwn(takenBy(operation), name)))
  }
})

test('every operation shows its usage, with examples that it accepts', async () => {
  for (const operation of operations) {
    const words = wordsOf(operation)
    const { code, out, err } = await type([...words, '--help'])
    assert.deepEqual([code, err], [0, ''])
    assert.ok(out.startsWith(`${operation.summary}.\n`))
    assert.match(out, /^Access: (An API key with the scope|The operator token)/m)
    const [examples = ''] = out.split(/^Examples?:\n/m).slice(1)
    // each is understood, and ends where it would ask the server
    const place = { env: { TASKWRIGHT_API_KEY: 'tw_x' }, interrupted: AbortSignal.abort() }
    for (const [, example = ''] of examples.matchAll(/^ {2}tw (.+)$/gm)) {
      const typed = await type(example, place)
      assert.ok(typed.code === 130 || /^Cannot read changes\.json/.test(typed.err), `tw ${example} ${typed.err}`)
    }
  }
})

test('every noun lists its verbs, and every list has columns', async () => {
  for (const noun of new Set(operations.map((one) => wordsOf(one)[0] ?? ''))) {
    if (operations.some((one) => wordsOf(one).join() === noun)) continue
    const { code, out } = await type([noun])
    assert.equal(code, 0)
    assert.match(out, /^Examples:\n {2}tw /m)
  }
  for (const operation of operations.filter(({ list }) => list)) {
    const fields = shapes[operation.answers ?? ''] ?? []
    const columns = columnsOf(operation, fields).map((name) => name.replace(/\..*/, ''))
    assert.ok(columns.length > 1 && columns.length < 10, `${operation.name}: ${columns}`)
    assert.deepEqual(
      columns.filter((name) => !fields.includes(name) && !includableBy(operation).includes(name)),
      [],
    )
  }
})

test('the words without a flag are the ids of the path, the task of a timer, and the search query', () => {
  const without = operations.filter((one) => positionalsOf(one).some((place) => place.in !== 'path'))
  assert.deepEqual(without.map(({ name }) => name).toSorted(), ['search', 'timer.start'])
})
