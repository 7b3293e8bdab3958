import type { Answer, Operation, Promises } from './promises.ts'
import { type Names, type Schema, schemaBreaks, type Way } from './schemas.ts'

/** The ways in which the new promises break clients of the old ones, one sentence each, without duplicates. */
export function breaksOf(before: Promises, now: Promises): string[] {
  const names: Names = { before: before.schemas, now: now.schemas, seen: new Set() }
  const breaks = [
    ...missing(before.schemas, now.schemas).map((name) => `The schema ${name} is gone`),
    ...missing(before.operations, now.operations).map((name) => `${name} is gone${newName(before, now, name)}`),
    ...both(before.operations, now.operations).flatMap(([name, ...two]) => operationBreaks(name, ...two, names)),
    ...missing(before.errorCodes ?? {}, now.errorCodes ?? {}).map((code) => `The error code ${code} is gone`),
    ...missing(before.webhooks, now.webhooks).map((name) => `The webhook ${name} is gone`),
    ...both(before.webhooks, now.webhooks).flatMap(([name, ...two]) => answerBreaks(`webhook ${name}`, ...two, names)),
  ]
  return [...new Set(breaks)]
}

/**
 * Whether a version can break the promises of another one: a new major version, or before 1.0 a new minor version.
 * @see Semantic Versioning 2.0.0, §4
 */
export function mayBreak(before: string, now: string): boolean {
  const [[major = 0, minor = 0] = [], [majorNow = 0, minorNow = 0] = []] = [before, now].map((it) =>
    it.split('.').map(Number),
  )
  return majorNow > major || (major === 0 && majorNow === 0 && minorNow > minor)
}

function newName(before: Promises, now: Promises, name: string): string {
  const at = before.operations[name]?.at
  const [other] = Object.entries(now.operations).find(([, operation]) => operation.at === at) ?? []
  return other === undefined ? '' : `: it is called ${other}`
}

function operationBreaks(name: string, before: Operation, now: Operation, names: Names): string[] {
  return [
    ...(before.at === now.at ? [] : [`${name} was ${before.at} and is now ${now.at}`]),
    ...before.security.filter((way) => !now.security.includes(way)).map((way) => `${name} no longer takes ${way}`),
    ...parameterBreaks(name, before, now, names),
    ...bodyBreaks(name, before, now, names),
    ...missing(before.answers, now.answers).map((status) => `${name} no longer answers ${status}`),
    ...missing(now.answers, before.answers)
      .filter((status) => status.startsWith('2'))
      .map((status) => `${name} may now answer ${status}`),
    ...both(before.answers, now.answers).flatMap(([status, ...two]) =>
      answerBreaks(`${name}: ${status}`, ...two, names),
    ),
  ]
}

function parameterBreaks(name: string, before: Operation, now: Operation, names: Names): string[] {
  const needed = Object.entries(now.parameters).filter(([, { required }]) => required)
  return [
    ...missing(before.parameters, now.parameters).map((parameter) => `${name}: ${parameter} is gone`),
    ...needed
      .filter(([parameter]) => before.parameters[parameter]?.required !== true)
      .map(([parameter]) => `${name}: ${parameter} must now be sent`),
    ...both(before.parameters, now.parameters).flatMap(([parameter, older, newer]) => [
      ...(older.form === newer.form ? [] : [`${name}: ${parameter} is written in another way`]),
      ...schemaBreaks('sent', older.schema, newer.schema, names, `${name}: ${parameter}`),
    ]),
  ]
}

function bodyBreaks(name: string, before: Operation, now: Operation, names: Names): string[] {
  const needed = now.body?.required === true && before.body?.required !== true
  if (before.body === undefined) return needed ? [`${name}: a body must now be sent`] : []
  if (now.body === undefined) return [`${name}: the body is gone`]
  return [
    ...(needed ? [`${name}: a body must now be sent`] : []),
    ...contentBreaks('sent', `${name}: body`, before.body.content, now.body.content, names),
  ]
}

function answerBreaks(where: string, before: Answer, now: Answer, names: Names): string[] {
  const always = Object.keys(before.headers).filter((header) => before.headers[header] && !now.headers[header])
  return [
    ...missing(before.headers, now.headers).map((header) => `${where}: the header ${header} is gone`),
    ...always
      .filter((header) => header in now.headers)
      .map((header) => `${where}: the header ${header} is no longer always there`),
    ...contentBreaks('read', where, before.content, now.content, names),
  ]
}

function contentBreaks(
  way: Way,
  where: string,
  before: Record<string, Schema>,
  now: Record<string, Schema>,
  names: Names,
): string[] {
  return [
    ...missing(before, now).map((type) => `${where}: ${type} is gone`),
    ...both(before, now).flatMap(([, older, newer]) => schemaBreaks(way, older, newer, names, where)),
  ]
}

/** The names in one object that the other lacks. */
const missing = (of: object, within: object) => Object.keys(of).filter((name) => !Object.hasOwn(within, name))

/** The entries that both objects have. */
const both = <T>(before: Record<string, T>, now: Record<string, T>) =>
  Object.entries(before).flatMap(([name, older]): [string, T, T][] => {
    const newer = now[name]
    return newer === undefined ? [] : [[name, older, newer]]
  })
