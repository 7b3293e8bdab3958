import { isGiven, textOfFlag } from '../arguments/given.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { connectionOf, refuseUnusable, rootOf } from '../sign-in/connection.ts'
import { bridge } from './bridge.ts'

/** The MCP server for agent clients that start a program instead of using a URL. */
export const mcp: OwnCommand = {
  summary: 'Speak the Model Context Protocol over standard input and output',
  description:
    'For agents that start a program. Sends each message to the server of your profile and prints the response. Ends when its input ends.',
  flags: { readonly: { help: 'only tools that read' } },
  examples: ['tw mcp', 'tw mcp --readonly --profile work'],
  async run(given, terminal) {
    const { url, key } = await connectionOf(terminal, textOfFlag(given, 'profile'))
    refuseUnusable({ url, key })
    const path = isGiven(given, 'readonly') ? '/mcp/readonly' : '/mcp'
    await bridge({ url: rootOf(url) + path, key }, terminal)
  },
}
