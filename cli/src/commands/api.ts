import { general } from '../arguments/general.ts'
import { isGiven, textOfFlag } from '../arguments/given.ts'
import type { ParsedArguments } from '../arguments/parse.ts'
import { bodyOf, textOf } from '../arguments/values.ts'
import type { Taskwright } from '../client.ts'
import { inLines, safeJson } from '../output/escape.ts'
import { WrongUse } from '../problems.ts'
import { clientOf, connectionOf } from '../sign-in/connection.ts'
import type { Terminal } from '../terminal.ts'
import { callOptions, throughFilter } from './call.ts'
import { confirmDeletion } from './confirm.ts'
import type { OwnCommand } from './own-command.ts'

const { jq, 'dry-run': dryRun, 'if-match': ifMatch, 'idempotency-key': idempotencyKey, body, yes } = general

/** Sends any request, also to a path that is not in the table of operations. */
export const api: OwnCommand = {
  summary: 'Send any request',
  description: 'Prints the response unchanged. The path is relative to /api/v1, with or without a query.',
  positionals: '<method> <path>',
  most: 2,
  flags: {
    field: {
      ...{ value: 'name=value', several: true },
      help: 'a query parameter for GET and DELETE, else a field of the body; in a body, null, true, false, numbers and JSON keep their type',
    },
    'raw-field': { value: 'name=text', several: true, help: 'the same, but always text' },
    header: { value: 'name: value', several: true, help: 'an extra header' },
    paginate: { help: 'get all pages of a list, one item per line' },
    ...{ jq, body, yes, 'dry-run': dryRun, 'if-match': ifMatch, 'idempotency-key': idempotencyKey },
  },
  examples: [
    'tw api GET /tasks --paginate --field priority=urgent',
    'tw api POST /tags --field name=urgent',
    'tw api PATCH /tasks/WEB-12 --body @changes.json',
  ],
  run: (given, terminal) => throughFilter(given, terminal, (place) => send(given, place)),
}

async function send(given: ParsedArguments, terminal: Terminal): Promise<void> {
  const [typedMethod, typedPath] = given.positionals
  if (typedMethod === undefined || typedPath === undefined)
    throw new WrongUse('tw api needs a method and a path, such as tw api GET /me.')
  const method = typedMethod.toUpperCase()
  if (!/^[A-Z]+$/.test(method)) throw new WrongUse(`'${typedMethod}' is not a method. Use GET, POST, PATCH or DELETE.`)
  const path = `/${typedPath.replace(/^\/?(api\/v1\/)?/, '')}`
  // a URL parser would resolve these dots to another path
  if (/\/(\.|%2e){1,2}(\/|\?|$)/i.test(path)) throw new WrongUse(`${path} is not a path below /api/v1, such as /tasks.`)
  const inQuery = method === 'GET' || method === 'DELETE'
  const fields = await fieldsIn(given.texts, inQuery, terminal)
  const whole = textOfFlag(given, 'body')
  const content = whole === undefined ? undefined : await bodyOf(whole, terminal.input)
  const connection = await connectionOf(terminal, textOfFlag(given, 'profile'))
  const tw = clientOf(connection, terminal, textOfFlag(given, 'timeout'))
  const options = { ...callOptions(given, terminal), headers: headersIn(given.texts.get('header') ?? []) }
  const query = inQuery ? fields : {}
  if (isGiven(given, 'paginate')) {
    if (method !== 'GET') throw new WrongUse('--paginate works only with GET.')
    return writePages(tw.pages(path, query, options), terminal)
  }
  if (method === 'DELETE' && !options.dryRun && !isGiven(given, 'yes'))
    await confirmDeletion(`DELETE ${path}`, terminal)
  const hasFields = !inQuery && Object.keys(fields).length > 0
  const sent = hasFields ? { ...(content as object | undefined), ...fields } : content
  const answer = await tw.request(method, path, { ...options, query, ...(sent === undefined ? {} : { body: sent }) })
  write(answer, terminal)
}

async function fieldsIn(texts: ReadonlyMap<string, string[]>, inQuery: boolean, { input }: Terminal) {
  const fields: Record<string, unknown> = Object.create(null)
  for (const flag of ['field', 'raw-field']) {
    for (const given of texts.get(flag) ?? []) {
      const [, name, text = ''] = /^([^=]+)=([\s\S]*)$/.exec(given) ?? []
      if (name === undefined) throw new WrongUse(`--${flag} takes name=value, not '${given}'.`)
      const value = flag === 'field' && !inQuery ? typed(await textOf(text, input)) : text
      // a repeated query parameter is a list
      fields[name] = inQuery && name in fields ? `${fields[name]},${text}` : value
    }
  }
  return fields
}

function typed(text: string): unknown {
  if (!/^(null|true|false|-?\d+(\.\d+)?|[[{"][\s\S]*)$/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const headersIn = (given: readonly string[]) =>
  Object.fromEntries(
    given.map((header) => {
      const [, name, value] = /^([\w-]+):(.*)$/.exec(header) ?? []
      if (name === undefined || value === undefined)
        throw new WrongUse(`--header takes 'name: value', not '${header}'.`)
      return [name, value.trim()]
    }),
  )

async function writePages(pages: ReturnType<Taskwright['pages']>, { out }: Terminal): Promise<void> {
  for await (const { data } of pages.eachPage()) {
    for (const item of data) out.write(`${safeJson(JSON.stringify(item))}\n`)
    await out.drained()
  }
}

function write(answer: unknown, { out }: Terminal): void {
  if (answer === undefined) return
  if (typeof answer === 'string') out.write(out.isTerminal ? inLines(answer) : answer)
  else out.write(`${safeJson(JSON.stringify(answer, null, 2))}\n`)
}
