import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/resources/index.ts'
import { invalidFields } from '../support/envelope.ts'
import { operatorToken, sharedServer } from '../support/world.ts'

const { api, newWorld } = await sharedServer()

const nothing = [
  '\u200b',
  '\u0301',
  ' \u200b\u2060 ',
  '\u00ad',
  '\u3164',
  '\u115f',
  '\u2800',
  '\u200d\ufe0f',
  '\u202e',
  '\u0007',
]
const something = ['a', '9', '!', '★', 'é', 'e\u0301', '東京', 'हिन्दी', '👩‍💻', '1️⃣', '\u200bx', '—', '₿']

test('a name of only invisible characters or accents is refused: 422 in fieldErrors.name', async () => {
  const { owner, project } = await newWorld()
  const { id: projectId } = await project()
  for (const name of nothing) {
    const replies = [
      await owner.post('/tags', { name }),
      await owner.post('/tasks', { projectId, name }),
      await owner.patch(`/projects/${projectId}`, { name }),
    ]
    for (const reply of replies) assert.deepEqual(invalidFields(reply), ['name'], JSON.stringify(name))
  }
})

test('every name of every operation refuses invisible characters and accents alone', () => {
  const named = routes.flatMap(({ method, path, body }) => {
    const issuesOf = (given: object) =>
      (body?.safeParse(given).error?.issues ?? []).filter(({ path: [name] }) => name === 'name')
    // what knows no name takes 5 for it, too
    return issuesOf({ name: 5 }).length > 0 ? [{ line: `${method} ${path}`, issuesOf }] : []
  })
  assert.ok(named.length >= 15, `${named.length} operations take a name`)
  for (const { line, issuesOf } of named)
    for (const name of nothing) {
      const messages = issuesOf({ name }).map(({ message }) => message)
      assert.deepEqual(
        messages,
        ['Must contain a letter, a digit, a punctuation mark or a symbol'],
        `${line} ${JSON.stringify(name)}`,
      )
    }
})

test('a name that shows nothing is refused inside a body too: for a stage of a new workspace, and for an owner', async () => {
  const { owner } = await newWorld()
  const operator = api(operatorToken)
  for (const name of nothing) {
    const stages = await owner.post('/workspaces', { name: 'Board', stages: ['To do', name] })
    assert.deepEqual(invalidFields(stages), ['stages.1'], JSON.stringify(name))
    const founding = { name: 'Org', owner: { name, email: 'olivia@example.com' } }
    const founded = await operator.post('/organizations', founding)
    assert.deepEqual(invalidFields(founded), ['owner.name'], JSON.stringify(name))
  }
})

test('a name that shows anything is accepted, in every script', async () => {
  const { owner } = await newWorld()
  for (const name of something) assert.equal((await owner.post('/workspaces', { name })).status, 201, name)
})

test('a time zone is stored as the IANA database spells it, under the name that was meant', async () => {
  const { owner, member } = await newWorld()
  const spelled = { 'europe/berlin': 'Europe/Berlin', 'ASIA/KOLKATA': 'Asia/Kolkata' }
  for (const [timezone, kept] of Object.entries({ ...spelled, 'america/port-au-prince': 'America/Port-au-Prince' })) {
    const replies = [
      await owner.patch('/organization', { timezone }),
      await owner.patch(`/members/${member.memberId}`, { timezone }),
      await owner.post('/members', { name: 'New', email: `${timezone.replace(/\W/g, '')}@example.com`, timezone }),
    ]
    for (const { body, text } of replies) assert.equal(body.timezone, kept, text)
  }
  assert.equal((await owner.patch(`/members/${member.memberId}`, { timezone: null })).body.timezone, null)
})
