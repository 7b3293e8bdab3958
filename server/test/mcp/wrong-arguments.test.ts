import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, post, webProject } from '../support/agent.ts'
import { sample } from '../support/rounds.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

interface ArgumentSchema {
  type?: string | string[]
  enum?: unknown[]
  items?: ArgumentSchema
  anyOf?: ArgumentSchema[]
}

/** Fits the schema of an argument, but names nothing that exists. */
function wrong(schema: ArgumentSchema): unknown {
  const { type = schema.anyOf?.[0]?.type, items = {} } = schema
  if (schema.enum) return schema.enum.at(-1)
  if (type === 'array') return [wrong(items)]
  if (type === 'boolean') return true
  if (type === 'integer') return 2
  return 'nope'
}

const right: Record<string, unknown> = {
  ...{ task: 'WEB-1', project: 'WEB', name: 'A name', body: 'A comment', names: ['One'], subtasks: ['1'] },
  ...{ state: 'open', of: 'time', groupBy: ['project'], action: 'start' },
}

test('every pair of invalid arguments gets a response, and the server continues', async () => {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const task = await world.task({ projectId: project.id })
  await world.subtask(task.id)
  const { client } = await connectAgent(server.base, world.owner.key)
  const { tools } = await client.listTools()
  const pairs: { name: string; input: Record<string, unknown> }[] = []
  for (const { name, inputSchema } of tools) {
    const schemas = Object.entries(inputSchema.properties ?? {}) as [string, ArgumentSchema][]
    const required = (inputSchema.required ?? []) as string[]
    const given = Object.fromEntries(required.map((argument) => [argument, right[argument]]))
    for (const [i, [one, ofOne]] of schemas.entries()) {
      for (const [other, ofOther] of schemas.slice(i + 1)) {
        pairs.push({ name, input: { ...given, [one]: wrong(ofOne), [other]: wrong(ofOther) } })
      }
    }
  }
  assert.ok(pairs.length > 280, `${pairs.length} pairs`)
  for (const { name, input } of sample(pairs)) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    const { status, body } = await post(server.base, message, { authorization: `Bearer ${world.owner.key}` })
    assert.equal(status, 200, `${name} ${JSON.stringify(input)}`)
    const { text } = body.result.content[0]
    assert.doesNotMatch(text, /The server had an error/, `${name} ${JSON.stringify(input)}`)
  }
})

test('an argument longer than any field is refused by its name, for any tool', async () => {
  const world = await server.newWorld()
  const { client, call } = await connectAgent(server.base, world.owner.key)
  const { tools } = await client.listTools()
  const [longText, manyTexts] = ['x'.repeat(50_001), Array<string>(101).fill('x')]
  for (const { name, inputSchema } of tools) {
    const given = Object.fromEntries((inputSchema.required ?? []).map((argument) => [argument, right[argument]]))
    for (const argument of sample(Object.keys(inputSchema.properties ?? {}), 3)) {
      const { text, refused } = await call(name, { ...given, [argument]: longText })
      assert.ok(refused)
      assert.match(text, new RegExp(`- ${argument}: Must have at most \\d+ characters`))
      const many = await call(name, { ...given, [argument]: manyTexts })
      assert.match(many.text, new RegExp(`- ${argument}: Must have at most 100 items`))
    }
  }
})

test('a limit of an argument counts characters, not UTF-16 code units', async () => {
  const world = await server.newWorld()
  await webProject(world)
  const { call } = await connectAgent(server.base, world.owner.key)
  const name = '👩'.repeat(255)
  assert.match((await call('create_task', { project: 'WEB', name })).text, /^Created WEB-1/)
  assert.match((await call('create_task', { project: 'WEB', name: `${name}👩` })).text, /- name: Must have at most 255/)
})

test('a value that no argument can have is refused with what to give instead, never as a server failure', async () => {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  await world.task({ projectId: project.id })
  const { call } = await connectAgent(server.base, world.owner.key)
  const refusal = async (name: string, input: Record<string, unknown>) => {
    const { text, refused } = await call(name, input)
    assert.ok(refused, text)
    return text
  }
  const onTask = { task: 'WEB-1' }
  assert.match(await refusal('log_time', { ...onTask, duration: '1h', end: 'later' }), /end: Must be a time such as/)
  assert.match(
    await refusal('log_time', { ...onTask, duration: `${'9'.repeat(250)}h` }),
    /duration: Must be a duration/,
  )
  assert.match(await refusal('log_time', { ...onTask, duration: '99999999h' }), /- start: Must/)
  assert.match(
    await refusal('edit_task', { ...onTask, estimate: `${'9'.repeat(250)}:00` }),
    /estimate: Must be a duration/,
  )
  const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`argument${i}`, 1]))
  assert.match(await refusal('find_tasks', many), /^Give at most 100 arguments\.$/)
  const deep = '['.repeat(500_000) + ']'.repeat(500_000)
  assert.match(await refusal('report', { of: 'time', groupBy: deep }), /- groupBy: Must have at most 255 characters/)
})
