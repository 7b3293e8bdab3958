import { isGiven, textOfFlag } from '../arguments/given.ts'
import { type ParsedArguments, parse } from '../arguments/parse.ts'
import { dayZoneOf } from '../names/day-zone.ts'
import { readingBy } from '../names/name-reader.ts'
import { namesOf } from '../names/names.ts'
import type { Operation } from '../operations/operation.ts'
import { requestOf } from '../operations/request.ts'
import { takenBy } from '../operations/taken.ts'
import { showPages } from '../output/pages.ts'
import { showAnswer } from '../output/show.ts'
import { type Form, viewOf } from '../output/view.ts'
import { clientOf, connectionOf } from '../sign-in/connection.ts'
import type { Terminal } from '../terminal.ts'
import { openInBrowser } from '../web/browser.ts'
import { addressOf, pageOf, refusePageless } from '../web/page.ts'
import { callOptions, formOf, refuseUnheeded, throughFilter } from './call.ts'
import { confirmDeletion } from './confirm.ts'
import { editLists } from './edit-lists.ts'

/** Runs an operation of the API with the typed arguments. */
export async function runOperation(operation: Operation, args: readonly string[], terminal: Terminal): Promise<void> {
  const given = parse(args, takenBy(operation))
  const form = formOf(given, operation)
  refuseUnheeded(given, operation.method)
  if (isGiven(given, 'web')) refusePageless(operation)
  return throughFilter(given, terminal, (place) => runGiven(operation, given, form, place))
}

async function runGiven(operation: Operation, given: ParsedArguments, form: Form, terminal: Terminal): Promise<void> {
  const { method } = operation
  const showsPage = isGiven(given, 'web')
  const connection = await connectionOf(terminal, textOfFlag(given, 'profile'))
  const tw = clientOf(connection, terminal, textOfFlag(given, 'timeout'))
  const options = callOptions(given, terminal)
  const learned = new Map<string, string>()
  const reading = readingBy(tw, { signal: terminal.interrupted })
  const { idOf, commaNames } = namesOf(reading, (id, name) => learned.set(id, name))
  const zoneOf = dayZoneOf(reading, form === 'people' && !showsPage ? terminal.err : undefined)
  const request = await requestOf(operation, given, terminal.input, { idOf, commaNames, zoneOf })
  if (showsPage) {
    const page = await pageOf(operation, request, { tw, zoneOf, options })
    return openInBrowser(addressOf(connection, page), terminal)
  }
  const view = viewOf(operation, form, textOfFlag(given, 'columns')?.split(','), request.query)
  const query = { ...request.query, ...view.query }
  if (operation.list) {
    const pages = tw.pages(request.path, query, options)
    return showPages(pages, isGiven(given, 'all'), view, terminal, learned)
  }
  if (method === 'DELETE' && !options.dryRun && !isGiven(given, 'yes')) {
    await confirmDeletion(`${operation.summary}: ${given.positionals.join(' ')}`, terminal)
  }
  const accept = view.form === 'csv' && operation.csv ? { accept: 'text/csv' as const } : {}
  const body = request.body === undefined ? {} : { body: request.body }
  const answer = await (request.listEdits.length > 0
    ? editLists(tw, request, { ...options, query })
    : tw.request(method, request.path, { ...options, ...accept, ...body, query }))
  showAnswer(operation, answer, view, terminal, learned)
  if (form !== 'people') return
  if (options.dryRun) terminal.err.write('This was a dry run. Nothing was changed.\n')
  else if (answer === undefined) terminal.err.write('Done.\n')
}
