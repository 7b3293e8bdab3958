import { isGiven, textOfFlag } from '../arguments/given.ts'
import type { ParsedArguments } from '../arguments/parse.ts'
import type { OwnCommand } from '../commands/own-command.ts'
import { readingBy } from '../names/name-reader.ts'
import { namesOf } from '../names/names.ts'
import { paintFor } from '../output/colours.ts'
import { safeJson } from '../output/escape.ts'
import { WrongUse } from '../problems.ts'
import { fetchBy } from '../proxies/fetch-by.ts'
import { clientOf, connectionOf } from '../sign-in/connection.ts'
import { forwarderTo, newSecret } from './forward.ts'
import { type EventSummary, lineOf } from './line.ts'

/** Shows events as they happen until Ctrl-C, and forwards them in the format of webhooks. */
export const listen: OwnCommand = {
  summary: 'Show events as they happen, and forward them',
  description:
    'Runs until Ctrl-C. If the connection breaks, it connects again and misses no event. With --forward-to, each event is sent to a URL as a webhook delivery, signed (Standard Webhooks). Events are sent one after the other, and each only once. Use this to build a receiver without a public address.',
  flags: {
    type: { value: 'task.*', several: true, help: 'only these types; task.* means all events of tasks' },
    project: { value: 'project', help: 'only events of this project' },
    after: { value: 'sequence', help: 'start after this event; default: only new events' },
    'forward-to': { value: 'url', help: 'send each event to this URL' },
    secret: { value: 'whsec_…', help: 'the secret that signs them; default: a new one, which is shown' },
    json: { help: 'print each event as JSON, one per line' },
  },
  examples: ['tw listen --type task.*', 'tw listen --forward-to localhost:8080/hooks', 'tw listen --after 0 --json'],
  async run(given, terminal) {
    const query = { after: positionIn(given), ...typesIn(given) }
    const target = textOfFlag(given, 'forward-to')
    const secret = textOfFlag(given, 'secret') ?? newSecret()
    const forward = target === undefined ? undefined : forwarderTo(target, secret, fetchBy(terminal.env))
    const connection = await connectionOf(terminal, textOfFlag(given, 'profile'))
    const tw = clientOf(connection, terminal, textOfFlag(given, 'timeout'))
    const signal = terminal.interrupted
    const reading = readingBy(tw, { signal })
    const project = textOfFlag(given, 'project')
    const projectId =
      project === undefined ? {} : { projectId: await namesOf(reading, () => {}).idOf('project', project, {}) }
    const { out, err } = terminal
    if (forward) err.write(`Forwarding to ${target}, signed with ${secret}\n`)
    const paint = paintFor(terminal, out)
    let isListening = false
    const events: AsyncIterable<EventSummary> = tw.events.stream(
      { ...query, ...projectId } as Parameters<typeof tw.events.stream>[0],
      {
        signal,
        onOpen() {
          if (!isListening) err.write('Listening. Press Ctrl-C to stop.\n')
          isListening = true
        },
        onCut(why) {
          if (why !== undefined)
            err.write(isListening ? 'The connection broke. Connecting again.\n' : 'No response yet. Trying again.\n')
        },
      },
    )
    for await (const event of events) {
      out.write(`${isGiven(given, 'json') ? safeJson(JSON.stringify(event)) : await lineOf(event, reading, paint)}\n`)
      if (forward) (isGiven(given, 'json') ? err : out).write(`  ${await forward(event, signal)}\n`)
      await out.drained()
    }
  },
}

function positionIn(given: ParsedArguments): number | undefined {
  const text = textOfFlag(given, 'after')
  if (text !== undefined && !/^\d+$/.test(text))
    throw new WrongUse('--after takes the sequence of an event: a whole number.')
  return text === undefined ? undefined : Number(text)
}

function typesIn({ texts }: ParsedArguments) {
  const types = (texts.get('type') ?? []).flatMap((text) => text.split(','))
  return types.length > 0 ? { type: types } : {}
}
