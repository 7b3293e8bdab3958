import { isGiven, textOfFlag } from '../arguments/given.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { paintFor } from '../output/colours.ts'
import { safeJson } from '../output/escape.ts'
import { writeLines } from '../output/lines.ts'
import { clientOf, connectionOf } from './connection.ts'
import { meOf } from './me.ts'

/** Shows the member and the server of the current key. */
export const whoami: OwnCommand = {
  summary: 'Show who you are and the server you use',
  flags: { json: { help: 'print the response as JSON' } },
  examples: ['tw whoami'],
  async run(given, terminal) {
    const connection = await connectionOf(terminal, textOfFlag(given, 'profile'))
    const me = await meOf(clientOf(connection, terminal, textOfFlag(given, 'timeout')), terminal)
    const { out } = terminal
    if (isGiven(given, 'json')) return out.write(`${safeJson(JSON.stringify(me, null, 2))}\n`)
    const { member, organization, apiKey } = me
    const shown = {
      ...{ name: member.name, email: member.email, role: member.role, organization: organization.name },
      ...{
        url: connection.url,
        profile: connection.profile ?? 'the environment',
        key: `${apiKey.name} (${apiKey.prefix}…)`,
      },
      ...{ scopes: apiKey.scopes, expiresAt: apiKey.expiresAt },
    }
    writeLines(shown, { isChosen: false }, [], out, paintFor(terminal, out), new Map())
  },
}
