import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { exampleId } from '../../../scripts/site/believable.ts'
import { type Example, exampleBase } from '../../../scripts/site/examples.ts'
import { operator } from '../../src/access/caller.ts'
import { openapi } from '../../src/openapi/openapi.ts'
import type { Route } from '../../src/operations/route.ts'
import { eventTypes, routes } from '../../src/resources/index.ts'
import { inUsefulOrder, startScenes } from '../support/scene.ts'
import { operatorToken } from '../support/world.ts'

const { base, scene } = await startScenes()
const examples = (await (await fetch(`${base}/docs/examples.json`)).json()) as Record<string, Example>

test('each operation has an example that calls it, and no other operation', () => {
  assert.deepEqual(Object.keys(examples).toSorted(), routes.map(({ name }) => name).toSorted())
  for (const { name, method, path } of routes) {
    const shape = path.replace(/\{\w+\}/g, '[\\w-]+')
    const asks = new RegExp(`^curl ${method === 'GET' ? '' : `-X ${method} `}'${exampleBase}/api/v1${shape}['?]`)
    assert.match(examples[name]?.curl ?? '', asks, name)
  }
})

test('the response of each example matches the document', () => {
  const { components, paths } = openapi(routes, eventTypes, 'test') as {
    components: object
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
    >
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { name, method, path } of routes) {
    const responses = paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses ?? {}
    const schema = (responses[200] ?? responses[201])?.content?.['application/json']?.schema
    assert.equal(schema === undefined, examples[name]?.answer === undefined, name)
    if (schema === undefined) continue
    const fits = ajv.compile({ ...schema, components })
    assert.ok(fits(examples[name]?.answer), `${name}: ${ajv.errorsText(fits.errors)}`)
  }
})

test('each curl command runs unchanged, except for ids and taken names, and succeeds: reads and writes', async () => {
  const { world, open, trash } = await scene()
  const newcomer = await world.join('Nora Newcomer', 'member')
  const failed: string[] = []
  for (const route of inUsefulOrder) {
    const command = withRealIds(examples[route.name]?.curl ?? '', route, {
      ...open,
      ...(route.deleted ? trash : {}),
      ...(route.name === 'projects.members.add' ? { members: newcomer.memberId } : {}),
    })
    const status = await statusOf(command, { KEY: world.owner.key, OPERATOR_TOKEN: operatorToken })
    if (!/^20[0-4]$/.test(status)) failed.push(`${route.name}: ${status}\n${command}`)
  }
  assert.deepEqual(failed, [])
})

/** The command with ids of what is there; what is renamed gets a name that the examples before have not taken. */
function withRealIds(command: string, { name, path, method, roles }: Route, things: Record<string, string>): string {
  const own = path.split('/')[1] ?? ''
  const next = own === 'stages' ? things.nextStage : own === 'subtasks' ? things.nextSubtask : things.tasks
  const ids: Record<string, string | undefined> = {
    ...{ project: things.projects, workspace: things.workspaces, stage: things.stages, task: things.tasks },
    ...{ subtask: things.subtasks, member: things.members, apiKey: things['api-keys'], tag: things.tags },
    ...{ taskType: things['task-types'], comment: things.comments, timeEntry: things['time-entries'] },
    ...{ organization: things.organizations },
    ...{
      webhook: things.webhooks,
      invitation: things.invitations,
      delivery: things.deliveries,
      before: next,
      after: next,
    },
  }
  const real = Object.entries(ids).reduce((text, [noun, id]) => text.replaceAll(exampleId(noun), id ?? noun), command)
  return (
    real
      .replace(exampleBase, base)
      // what its example of an edit has called it
      .replace(name === 'organization.delete' ? 'name=Acme' : '$^', 'name=Ironbridge%20Digital%20anew')
      .replace(method === 'PATCH' ? /("name": "[^"]*)/ : '$^', '$1 anew')
      .replace(/\/projects\/WEB\b/, `/projects/${things.projects}`)
      .replace(/\/tasks\/WEB-12\b/, `/tasks/${things.tasks}`)
      .replace(roles === operator ? exampleId(name) : '$^', `${exampleId(name)}-${process.pid}`)
  )
}

async function statusOf(command: string, env: Record<string, string>): Promise<string> {
  const [first = ''] = command.split(' ', 1)
  const script = command.replace(first, `${first} -s -w '\\n%{http_code}'`)
  const child = spawn('sh', ['-c', script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await text(child.stdout)
  return said.endsWith('\n404') || /\n[45]\d\d$/.test(said) ? said.trim() : (said.split('\n').at(-1) ?? '')
}
