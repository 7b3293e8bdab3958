import type { Route } from '../../server/src/for-tools.ts'
import { exampleOf, fieldsSent, queryAsked } from '../client/examples.ts'
import type { Document } from '../client/json-schema.ts'
import { type Call, callsOf } from '../client/operation.ts'
import { believable, exampleId } from './believable.ts'

/** A request in a shell and in TypeScript, and its response. */
export interface Example {
  curl: string
  sdk: string
  /** undefined for an empty response */
  answer?: unknown
}

/** The server's address in the examples; the page replaces it by its own. */
export const exampleBase = 'http://127.0.0.1:3000'

/** An example of each operation, by name. */
export function examples(routes: readonly Route[], described: object): Record<string, Example> {
  const document = described as Document
  const calls = callsOf(routes, document)
  return Object.fromEntries(
    calls.map((call) => {
      const { schemas } = document.components
      const answer = call.answer && { answer: believable(call.answer, schemas) }
      return [call.name, { curl: curlOf(call, document), sdk: exampleOf(call, document), ...answer }]
    }),
  )
}

function curlOf(call: Call, document: Document): string {
  const { method, path, ids } = call
  let at = -1
  const place = path.replace(/\{\w+\}/g, () => {
    at += 1
    return ids[at]?.key ?? exampleId(ids[at]?.name.replace(/Id$/, '') ?? '')
  })
  const query = call.kind === 'body' ? '' : queryOf(call)
  const body = call.kind === 'body' ? bodyOf(call, document) : undefined
  const key = call.options.includes('idempotencyKey') ? [`-H 'Idempotency-Key: ${exampleId(call.name)}'`] : []
  const token = call.described['x-access'].credential === 'operatorToken' ? '$OPERATOR_TOKEN' : '$KEY'
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${exampleBase}/api/v1${place}${query}'`,
    `-H "Authorization: Bearer ${token}"`,
    ...key,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ')
}

function queryOf(call: Call): string {
  const asked = queryAsked(call).map(({ name, schema, takesMe }) => {
    const value = takesMe ? 'me' : believable(schema, {}, name)
    return `${name}=${encodeURIComponent(String(Array.isArray(value) ? value[0] : value))}`
  })
  return asked.length > 0 ? `?${asked.join('&')}` : ''
}

function bodyOf(call: Call, document: Document): string {
  const nouns = call.name.split('.')
  const noun = (nouns.length > 1 ? nouns.at(-2) : nouns[0])?.replace(/ies$/, 'y').replace(/s$/, '') ?? ''
  const fields = fieldsSent(call).map(({ name, schema, given }) => [
    name,
    given !== undefined && schema.format !== 'uuid' && !JSON.stringify(schema).includes('"uuid"')
      ? given
      : believable(schema, document.components.schemas, name, noun),
  ])
  return JSON.stringify(Object.fromEntries(fields), null, 2).replaceAll('\n', '\n  ')
}
