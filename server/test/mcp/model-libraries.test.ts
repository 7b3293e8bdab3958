import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { mcpToTool } from '@google/genai'
import { toStrictJsonSchema } from 'openai/lib/transform'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[]; items?: Schema }

async function listedTools() {
  const world = await server.newWorld()
  await world.task({ projectId: (await webProject(world)).project.id, name: 'Fix the login' })
  const agent = await connectAgent(server.base, world.owner.key)
  const { tools } = await agent.client.listTools()
  return {
    ...agent,
    world,
    tools: tools as { name: string; description?: string; inputSchema: Schema & { type: 'object' } }[],
  }
}

/** A schema and all within it. */
const eachSchema = (schema: Schema): Schema[] => [
  schema,
  ...Object.values(schema.properties ?? {}).flatMap(eachSchema),
  ...(schema.items ? eachSchema(schema.items) : []),
]

test("each tool's schema uses only keywords that every model provider accepts, and each argument has one type", async () => {
  const { tools } = await listedTools()
  const known = ['type', 'description', 'enum', 'items', 'properties', 'required']
  for (const { name, inputSchema } of tools) {
    for (const schema of eachSchema(inputSchema)) {
      assert.equal(typeof schema.type, 'string', `${name}: ${JSON.stringify(schema)}`)
      assert.deepEqual(
        Object.keys(schema).filter((word) => !known.includes(word)),
        [],
        name,
      )
      if (schema.type === 'array') assert.ok(schema.items, name)
    }
    assert.ok(name.length <= 64 && /^[a-z_]+$/.test(name))
  }
})

test('every tool becomes a function of Gemini by @google/genai', async () => {
  const { tools, client } = await listedTools()
  const { functionDeclarations = [] } = await mcpToTool(client as never).tool()
  assert.deepEqual(
    functionDeclarations.map(({ name }) => name),
    tools.map(({ name }) => name),
  )
  for (const [i, { parametersJsonSchema }] of functionDeclarations.entries())
    assert.deepEqual(parametersJsonSchema, tools[i]?.inputSchema)
})

/** As OpenAI says: in strict mode every argument is required, and one that was optional may be null. */
const withNull = ({ properties = {}, required = [], ...rest }: Schema): Schema => ({
  ...rest,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [
      name,
      required.includes(name) ? one : { anyOf: [one, { type: 'null' }] },
    ]),
  ),
  required: Object.keys(properties),
})

test('every tool becomes a strict function by openai, and a call with null for every optional argument equals one without', async () => {
  const { tools, call, world } = await listedTools()
  for (const { name, inputSchema } of tools) {
    const strict = toStrictJsonSchema(withNull(inputSchema) as never) as Schema
    assert.equal(strict.additionalProperties, false, name)
    assert.deepEqual(strict.required, Object.keys(inputSchema.properties ?? {}), name)
  }
  const editTask = tools.find(({ name }) => name === 'edit_task') ?? assert.fail()
  const nulls = Object.fromEntries(Object.keys(editTask.inputSchema.properties ?? {}).map((name) => [name, null]))
  await world.owner.patch('/tasks/WEB-1', { description: 'Stays', dueDate: '2026-01-31' })
  const { text, refused } = await call('edit_task', { ...nulls, task: 'WEB-1', priority: 'high' })
  assert.ok(!refused, text)
  const { description, dueDate, priority } = (await world.owner.get('/tasks/WEB-1')).body
  assert.deepEqual([description, dueDate, priority], ['Stays', '2026-01-31', 'high'])
})

test('every tool becomes a tool of Claude by @anthropic-ai/sdk, and a strict one too', async () => {
  const { tools, client } = await listedTools()
  const converted = mcpTools(tools as never, client as never)
  assert.deepEqual(
    converted.map((tool) => ('name' in tool ? tool.name : undefined)),
    tools.map(({ name }) => name),
  )
  for (const { name, inputSchema } of tools) {
    const strict = transformJSONSchema(inputSchema as never) as Schema
    // what it cannot express it would write into a description, as JSON
    assert.ok(!eachSchema(strict).some(({ description }) => /^\{|\n\{/.test(String(description))), name)
  }
})
