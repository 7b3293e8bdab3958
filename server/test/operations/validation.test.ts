import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { detailsOf, invalidFields } from '../support/envelope.ts'
import { sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

const lists = ['/tags', '/task-types', '/workspaces', '/projects']
const withName = (name: unknown) => ({ name })

test('a failed validation says "Validation failed", with details.formErrors and details.fieldErrors', async () => {
  const { owner } = await newWorld()
  const { status, body } = await owner.post('/tags', { name: '', colour: 'red' })
  assert.equal(status, 422)
  assert.deepEqual(body, {
    error: 'Validation failed',
    details: {
      formErrors: ['Unknown field: colour'],
      fieldErrors: { name: ['Must have at least 1 character'] },
    },
  })
})

test('a name has at least 1 and at most 255 characters, without the white space around it', async () => {
  const { owner } = await newWorld()
  for (const path of lists) {
    for (const name of ['', ' ', '\t\n ', '\u00a0\u3000', 'x'.repeat(256), undefined, null, 5, ['x'], {}]) {
      assert.deepEqual(invalidFields(await owner.post(path, withName(name))), ['name'], `${path} ${name}`)
    }
    for (const name of ['x', 'x'.repeat(255), '🙂'.repeat(255)]) {
      const { status, body } = await owner.post(path, withName(`  ${name}\n`))
      assert.deepEqual([status, body.name], [201, name])
    }
  }
  const member = { email: 'nobody@example.com', name: '' }
  assert.deepEqual(invalidFields(await owner.post('/members', member)), ['name'])
})

test('a name in any script is returned as it was sent', async () => {
  const { owner } = await newWorld()
  for (const name of [
    '日本語',
    'עברית',
    'e\u0301',
    '👩‍👩‍👧',
    "Robert'); drop table tags;--",
    '<b>&amp;</b>',
    '\u202eright',
  ]) {
    assert.equal((await owner.post('/tags', { name })).body.name, name)
  }
})

test('every text refuses U+0000 and lone surrogates, which no database could return', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { id } = await task({ projectId })
  for (const text of ['a\\u0000b', '\\ud800', 'a\\udc00b']) {
    for (const path of lists) assert.deepEqual(invalidFields(await owner.post(path, `{"name":"${text}"}`)), ['name'])
    assert.deepEqual(invalidFields(await owner.patch(`/tasks/${id}`, `{"description":"${text}"}`)), ['description'])
    const entry = `{"taskId":"${id}","durationSeconds":1,"description":"${text}"}`
    assert.deepEqual(invalidFields(await owner.post('/time-entries', entry)), ['description'])
    assert.deepEqual(invalidFields(await owner.post('/members', `{"name":"x","email":"${text}@example.com"}`)), [
      'email',
    ])
    assert.deepEqual(invalidFields(await owner.patch('/organization', `{"timezone":"${text}"}`)), ['timezone'])
  }
})

test('a missing field is Required, of any type', async () => {
  const { owner } = await newWorld()
  const required = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, ['Required']]))
  assert.deepEqual(detailsOf(await owner.post('/tags', {})).fieldErrors, required('name'))
  assert.deepEqual(detailsOf(await owner.post('/tasks')).fieldErrors, required('name', 'projectId'))
  assert.deepEqual(detailsOf(await owner.post('/members', {})).fieldErrors, required('name', 'email'))
  assert.deepEqual(detailsOf(await owner.get('/reports/time')).fieldErrors, required('groupBy'))
  const part = detailsOf(await owner.post('/bulk', { operations: [{ method: 'POST', path: '/tags', body: {} }] }))
  assert.deepEqual(part.fieldErrors, required('operations.0.body.name'))
})

test('an invalid filter value is named, with the values that are allowed and how many, and so is a value given twice', async () => {
  const { owner } = await newWorld()
  const said = async (query: string) => Object.values(detailsOf(await owner.get(`/tasks?${query}`)).fieldErrors).flat()
  const id = '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'
  const cases: [string, string][] = [
    ['assigneeId=x', 'Must be a UUID, me or none, or a list of up to 50 of them; "x" is not valid'],
    [`tagId=${id}&tagId=b`, 'Must be a UUID, or a list of up to 10 of them; "b" is not valid'],
    [`projectId=${id},`, 'Must be a UUID, or a list of up to 50 of them; "" is not valid'],
    [`projectId=${'x'.repeat(500)}`, `Must be a UUID, or a list of up to 50 of them; "${'x'.repeat(40)}" is not valid`],
    [
      'priority=high,low,1',
      'Must be one of none, low, medium, high, urgent, or a list of up to 5 of them; "1" is not valid',
    ],
    [
      'dueDate=none,today',
      'Must be a date such as 2026-01-31 or none, or a list of up to 50 of them; "today" is not valid',
    ],
    [
      'dueDate=2020-01-01,3020-01-01',
      'Must be a date such as 2026-01-31 or none, or a list of up to 50 of them; "3020-01-01" is not valid',
    ],
    [`projectId=${id}&projectId=${id.toUpperCase()}`, `Must not contain "${id}" twice`],
    ['assigneeId=me,me', 'Must not contain "me" twice'],
    [`projectId=${Array.from({ length: 51 }, randomUUID)}`, 'Must have at most 50 values'],
    [`id=${Array.from({ length: 101 }, randomUUID)}`, 'Must have at most 100 values'],
  ]
  for (const [query, sentence] of cases) assert.deepEqual(await said(query), [sentence], query)
})

test('an error is under the path of its field', async () => {
  const { owner, project } = await newWorld()
  const { id: projectId } = await project()
  const board = { name: 'Board', stages: ['To do', '', 5] }
  assert.deepEqual(invalidFields(await owner.post('/workspaces', board)), ['stages.1', 'stages.2'])
  const labels = { name: 'x', projectId, tagIds: ['one'], assigneeIds: ['me'] }
  assert.deepEqual(invalidFields(await owner.post('/tasks', labels)), ['assigneeIds.0', 'tagIds.0'])
  const settings = { settings: { timerPolicy: 'explode' } }
  assert.deepEqual(invalidFields(await owner.patch('/organization', settings)), ['settings.timerPolicy'])
})

test('formErrors names a rule over several fields', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const wrong = { startDate: '2026-02-02', dueDate: '2026-02-01' }
  const attempts = [
    await owner.post('/tasks', { name: 'x', projectId, ...wrong }),
    await owner.patch(`/tasks/${(await task({ projectId, startDate: '2026-02-02' })).id}`, { dueDate: wrong.dueDate }),
    await owner.post('/projects', { name: 'x', ...wrong }),
    await owner.patch(`/projects/${projectId}`, wrong),
  ]
  for (const reply of attempts) {
    assert.deepEqual(detailsOf(reply), { formErrors: ['dueDate must not be before startDate'], fieldErrors: {} })
  }
})

test('an unknown field is refused, on create, on update and inside a field', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  for (const reply of [
    await owner.post('/tags', { name: 'x', id: 'mine', nmae: 'y' }),
    await owner.patch(`/tags/${id}`, { id: 'mine', nmae: 'y' }),
  ]) {
    assert.deepEqual(detailsOf(reply), { formErrors: ['Unknown field: id', 'Unknown field: nmae'], fieldErrors: {} })
  }
  const { fieldErrors } = detailsOf(await owner.patch('/organization', { settings: { timer: 'x' } }))
  assert.deepEqual(fieldErrors, { settings: ['Unknown field: timer'] })
})

test('a request cannot set a field that the server sets', async () => {
  const { owner, project } = await newWorld()
  const { id: projectId } = await project()
  for (const field of ['createdAt', 'updatedAt', 'version', 'number', 'key', 'completedAt', 'createdBy', 'orgId']) {
    const { formErrors } = detailsOf(await owner.post('/tasks', { name: 'x', projectId, [field]: null }))
    assert.deepEqual(formErrors, [`Unknown field: ${field}`])
  }
})

test('an unknown parameter is refused on every method', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  for (const reply of [
    await owner.get(`/tags/${id}?expand=all`),
    await owner.post('/tags?expand=all', { name: 'x' }),
    await owner.patch(`/tags/${id}?expand=all`, { name: 'x' }),
    await owner.delete(`/tags/${id}?expand=all`),
  ]) {
    assert.deepEqual(detailsOf(reply).formErrors, ['Unknown parameter: expand'])
  }
  assert.equal((await owner.get(`/tags/${id}`)).status, 200)
})

test('one response has the errors in the query and in the body', async () => {
  const { owner } = await newWorld()
  const { formErrors, fieldErrors } = detailsOf(await owner.post('/tags?expand=all', { name: '', colour: 'red' }))
  assert.deepEqual(formErrors, ['Unknown parameter: expand', 'Unknown field: colour'])
  assert.deepEqual(Object.keys(fieldErrors), ['name'])
})

test('a body that is not an object is refused: 422 in formErrors', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  for (const body of ['[]', '"x"', '5', 'true', 'null', '[{"name":"x"}]']) {
    assert.equal(detailsOf(await owner.post('/tags', body)).formErrors.length, 1, body)
    assert.equal(detailsOf(await owner.patch(`/tags/${id}`, body)).formErrors.length, 1, body)
  }
})

test('names with a meaning in JavaScript are unknown fields like any other', async () => {
  const { owner } = await newWorld()
  for (const field of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const { formErrors, fieldErrors } = detailsOf(
      await owner.post('/tags', `{"name":"x","${field}":{"color":"#ffffff"}}`),
    )
    assert.deepEqual([formErrors, fieldErrors], [[`Unknown field: ${field}`], {}])
    assert.deepEqual(detailsOf(await owner.get(`/tags?${field}=1`)).formErrors, [`Unknown parameter: ${field}`])
  }
  assert.equal((await owner.get('/tags')).body.total, 0)
})

test('a name that is already taken gets 422 in fieldErrors.name: 409 has one meaning only', async () => {
  const { owner, tag, taskType, workspace, stages } = await newWorld()
  const board = await workspace({ stages: ['To do', 'Done'] })
  const [first] = await stages(board.id)
  const taken: [path: string, name: string][] = [
    ['/tags', (await tag({ name: 'Größe' })).name.toUpperCase()],
    ['/task-types', (await taskType()).name.toLowerCase()],
    [`/workspaces/${board.id}/stages`, ' TO DO '],
  ]
  for (const [path, name] of taken) {
    assert.deepEqual(detailsOf(await owner.post(path, { name })).fieldErrors, { name: ['Is already taken'] }, path)
  }
  await tag({ name: 'Οδός' })
  assert.deepEqual(invalidFields(await owner.post('/tags', { name: 'ΟΔΟΣ' })), ['name'])
  assert.deepEqual(invalidFields(await owner.patch(`/stages/${first.id}`, { name: 'done' })), ['name'])
  const { body } = await owner.patch(`/stages/${first.id}`, { name: 'TO DO' })
  assert.equal(body.name, 'TO DO')
})
