import type { DayZone } from '../arguments/days.ts'
import type { ParsedArguments } from '../arguments/parse.ts'
import { bodyOf, valueFor } from '../arguments/values.ts'
import type { CommaNames, IdOf, NameScope } from '../names/name-scope.ts'
import { WrongUse } from '../problems.ts'
import type { Input } from '../terminal.ts'
import { isListOfIds, type Operation, type Parameter } from './operation.ts'
import { hasOwnBody, type ParameterValue, refuseIncomplete, typedIn, withinOf } from './parameter-value.ts'
import { separateNames, sign, splitAtCommas } from './separate-names.ts'

/** A request to the server. */
interface Request {
  path: string
  query: Record<string, unknown>
  /** undefined for no body */
  body: unknown
  /** lists of the body whose new value depends on the current one */
  listEdits: ListEdit[]
  typed: readonly ParameterValue[]
}

/** The items to add to a list and to remove from it. */
export interface ListEdit {
  name: string
  added: readonly string[]
  removed: readonly string[]
}

/** Requests that must run first. */
interface LookUps {
  idOf: IdOf
  commaNames: CommaNames
  zoneOf: DayZone
}

/**
 * Builds the typed request and replaces names by ids.
 * @throws WrongUse if an argument is missing or invalid
 */
export async function requestOf(
  operation: Operation,
  given: ParsedArguments,
  input: Input,
  lookUps: LookUps,
): Promise<Request> {
  const typed = typedIn(operation, given)
  const [whole] = hasOwnBody(operation) ? [] : (given.texts.get('body') ?? [])
  if (whole !== undefined && operation.method === 'GET')
    throw new WrongUse('--body works only with writes: a GET has no body.')
  refuseIncomplete(operation, typed, whole !== undefined)
  const request: Request = { path: operation.path, query: {}, body: undefined, listEdits: [], typed }
  if (whole !== undefined) request.body = enveloped(operation, await bodyOf(whole, input))
  const mayBeEdited = (parameter: Parameter) => operation.method === 'PATCH' && isListOfIds(parameter)
  const separate = await separateNames(typed, given, lookUps.commaNames, mayBeEdited)
  const isEdit = ({ parameter, texts }: ParameterValue) =>
    mayBeEdited(parameter) && texts.some((text) => sign.test(text))
  const [edits, wholes] = [separate.filter(isEdit), separate.filter((one) => !isEdit(one))]
  const within = withinOf(separate, given)
  request.listEdits = await Promise.all(edits.map((one) => listEditOf(one, within, lookUps.idOf)))
  for (const [{ name, in: place, list }, value] of await valuesOf(wholes, within, input, lookUps)) {
    if (place === 'path') request.path = request.path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (place === 'query') request.query[name] = list ? [value].flat().join(',') : value
    else request.body = withField(request.body, name.split('.'), value)
  }
  return request
}

async function listEditOf(
  { parameter, flag, texts }: ParameterValue,
  within: NameScope,
  idOf: IdOf,
): Promise<ListEdit> {
  if (!texts.every((text) => sign.test(text)))
    throw new WrongUse(`${flag}: write + or - before every name, or before none.`)
  const idsAfter = (mark: string) => {
    const marked = texts.filter((text) => text.startsWith(mark))
    return Promise.all(marked.map((text) => idIn(parameter, text.replace(sign, ''), within, idOf)))
  }
  const [added, removed] = await Promise.all([idsAfter('+'), idsAfter('-')])
  return { name: parameter.name, added, removed }
}

async function valuesOf(typed: readonly ParameterValue[], within: NameScope, input: Input, lookUps: LookUps) {
  return Promise.all(
    typed.map(async (one): Promise<[Parameter, unknown]> => {
      const { list, type, in: place } = one.parameter
      if (!list || (list === 'items' && type === 'json'))
        return [one.parameter, await valueIn(one, one.texts[0] ?? '', within, input, lookUps)]
      const split = type === 'id' ? one.texts : one.texts.flatMap(splitAtCommas)
      if (place === 'body' && split.join() === 'null') return [one.parameter, []]
      return [one.parameter, await Promise.all(split.map((text) => valueIn(one, text, within, input, lookUps)))]
    }),
  )
}

async function valueIn(
  { parameter, flag }: ParameterValue,
  text: string,
  within: NameScope,
  input: Input,
  { idOf, zoneOf }: LookUps,
): Promise<unknown> {
  const { type, nullable, words } = parameter
  if (parameter.name === 'body' && text === '-') return (await input.text()).trimEnd()
  const isName = type === 'id' && !words?.includes(text) && !(nullable && text === 'null')
  return isName ? idIn(parameter, text, within, idOf) : valueFor(parameter, text, flag, zoneOf)
}

/** If the body has only one list, the user can pass the list alone. */
function enveloped({ parameters }: Operation, body: unknown): unknown {
  const [only, ...more] = parameters.filter((one) => one.in === 'body')
  return Array.isArray(body) && only?.list && more.length === 0 ? { [only.name]: body } : body
}

/** Passes on any text that the API accepts itself. */
async function idIn({ of, accepts }: Parameter, text: string, within: NameScope, idOf: IdOf): Promise<string> {
  // in a path, these dots would lead to another operation
  if (/^\.{0,2}$/.test(text)) throw new WrongUse(`'${text}' is not an id.`)
  if (of === undefined) return text
  const key = text.toUpperCase()
  // bounded: the patterns are those of keys, from the generated table
  if (accepts && new RegExp(accepts).test(of === 'task' ? key : text)) return of === 'task' ? key : text
  return idOf(of, text, within)
}

function withField(body: unknown, [name = '', ...deeper]: readonly string[], value: unknown): object {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw new WrongUse('The body is not a JSON object, so flags cannot add fields to it.')
  const before = (body ?? {}) as Record<string, unknown>
  return { ...before, [name]: deeper.length === 0 ? value : withField(before[name], deeper, value) }
}
