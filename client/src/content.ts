import { ConnectionError, NotFoundError, UnexpectedAnswerError } from './errors.ts'
import { isRefusal, refusalOf } from './refusals.ts'
import { isPassing } from './retries.ts'

/**
 * The content of a response: parsed JSON, or CSV text.
 * @param goneIsDone whether 404 counts as success
 * @throws ApiError if the server refused; UnexpectedAnswerError if the response is not from a Taskwright server;
 *   ConnectionError if it is incomplete
 */
export function contentOf(response: Response, text: string, goneIsDone: boolean): unknown {
  const { ok, status, type, headers } = response
  if (ok) return successOf(response, text)
  const body = jsonOf(text)
  // a proxy may send these too
  if (!isRefusal(response, body) && status !== 304 && status < 500 && !isPassing(status)) {
    const target = headers.get('location')
    // browsers hide the target of a redirect
    if (type === 'opaqueredirect') throw unexpected(response, 'redirects to another URL')
    throw unexpected(response, target === null ? noAnswer(text) : `redirects to ${target}`)
  }
  const refusal = refusalOf(response, body ?? text, gist(text))
  if (goneIsDone && refusal instanceof NotFoundError) return undefined
  throw refusal
}

function successOf(response: Response, text: string): unknown {
  const type = typeOf(response)
  // empty JSON is an incomplete response
  if (text === '' && type !== 'application/json') return undefined
  if (type === 'text/csv') return text
  const body = jsonOf(text)
  if (body !== undefined) return body
  if (type === 'application/json') throw new ConnectionError('The response is incomplete')
  throw unexpected(response, noAnswer(text))
}

/** The media type of a response. */
export const typeOf = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase()

/** The error for a response that is not from a Taskwright server. */
export const unexpected = ({ status, url }: Response, what: string): UnexpectedAnswerError =>
  new UnexpectedAnswerError(`${url || 'The response'}${status ? ` (${status})` : ''} ${what}. Check baseUrl.`, status)

const noAnswer = (text: string) => `is not a response from Taskwright${text && `: ${gist(text)}`}`

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The start of the text of a page, without markup. */
const gist = (text: string): string =>
  text
    // bounded: by these 4,000 characters
    .slice(0, 4_000)
    .replace(/<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
