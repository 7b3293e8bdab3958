import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { file } from './afterwards.ts'
import type { World } from './world.ts'

/** The two eras of the protocol: with `initialize`, and without. */
export const eras = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof eras)[number]

/** What a tool answered: its text, and whether it refused. */
export interface Told {
  text: string
  refused: boolean
}

/** An agent of the library's own client, connected to a server with one key. */
export async function connectAgent(base: string, key: string, { era = eras[1] as Era, path = '/mcp' } = {}) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {},
  )
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(base + path), { requestInit: { headers } }))
  file.after(() => client.close())
  return {
    client,
    async call(name: string, input: Record<string, unknown> = {}): Promise<Told> {
      const { content, isError } = await client.callTool({ name, arguments: input })
      const texts = content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`))
      return { text: texts.join('\n'), refused: isError === true }
    },
  }
}

/** A JSON-RPC message as a client of the first era sends it, and what it was answered. */
export async function post(base: string, message: unknown, headers: Record<string, string> = {}, path = '/mcp') {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** A project WEB with a board from Backlog to Done, which agents work in. */
export async function webProject(world: World) {
  const project = await world.project({ key: 'WEB', name: 'Web site' })
  const board = await world.workspace({ name: 'Sprint', projectId: project.id, stages: ['Backlog', 'Doing', 'Done'] })
  const [backlog, doing, done] = await world.stages(board.id)
  await world.owner.patch(`/stages/${doing.id}`, { category: 'doing' })
  await world.owner.patch(`/stages/${done.id}`, { category: 'done' })
  return { project, board, stages: { backlog, doing, done } }
}
