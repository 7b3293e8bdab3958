import { root } from './root.js'
import { authorization } from './session.js'

/**
 * What would be sent, without the key.
 * @param textOf the text that stands in the field of a parameter, '' when there is none
 */
export function requestOf({ method, path, parameters }, textOf, body) {
  const headers = {}
  const query = new URLSearchParams()
  let url = path
  for (const parameter of parameters) {
    const { name } = parameter
    const value = textOf(parameter)
    if (value === '') continue
    if (parameter.in === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
    else if (parameter.in === 'header') headers[name] = value
    else if (isList(parameter)) for (const each of value.split(/[\s,]+/)) query.append(name, each)
    else query.append(name, isWords(parameter) ? value.split(/[\s,]+/).join() : value)
  }
  if (body !== '') headers['Content-Type'] = 'application/json'
  return { method, url: query.size > 0 ? `${url}?${query}` : url, headers, ...(body === '' ? {} : { body }) }
}

/** Whether a parameter of the query may be repeated. */
export const isList = ({ schema }) => [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === 'array')

/** Whether it takes words, separated by commas. */
export const isWords = ({ schema }) => Boolean(schema.pattern?.includes('(,('))

/** The request for a shell, with the key as `$KEY`. */
export function curlOf({ method, url, headers, body }) {
  const lines = [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoted(root + url)}`,
    '-H "Authorization: Bearer $KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** Sends the request with the key. @returns the answer, its text and how long it took */
export async function send({ method, url, headers, body }) {
  const startedMs = performance.now()
  const response = await fetch(root + url, {
    method,
    body,
    headers: { ...headers, ...authorization() },
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = await response.text()
  const { status, statusText: reason } = response
  return { status, reason, headers: response.headers, text, tookMs: performance.now() - startedMs }
}

/** The value of JSON text; undefined when it is none. */
export function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
