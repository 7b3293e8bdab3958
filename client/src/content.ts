import { ConnectionError, NotFoundError, UnexpectedAnswerError } from './errors.ts'
import { isEnvelope, refusalOf } from './refusals.ts'
import { isPassing } from './retries.ts'

/**
 * What an answer says: JSON, or the text of CSV.
 * @param goneIsDone whether 404 is as good as a success
 * @throws ApiError when it is a refusal; UnexpectedAnswerError when it is no answer of a Taskwright server; ConnectionError
 *   when its end is missing
 */
export function contentOf(response: Response, text: string, goneIsDone: boolean): unknown {
  const { ok, status, headers } = response
  if (ok) return successOf(response, text)
  const body = jsonOf(text)
  // what stands between may answer so too
  if (!isEnvelope(body) && status !== 304 && status < 500 && !isPassing(status)) {
    const target = headers.get('location')
    throw unexpected(response, target === null ? `is no answer of Taskwright: ${gist(text)}` : `leads to ${target}`)
  }
  const refusal = refusalOf(response, body ?? text, gist(text))
  if (goneIsDone && refusal instanceof NotFoundError) return undefined
  throw refusal
}

function successOf(response: Response, text: string): unknown {
  const type = typeOf(response)
  if (text === '') return undefined
  if (type === 'text/csv') return text
  const body = jsonOf(text)
  if (body !== undefined) return body
  if (type === 'application/json') throw new ConnectionError('The answer ends in the middle')
  throw unexpected(response, `is no answer of Taskwright: ${gist(text)}`)
}

/** The media type of an answer. */
export const typeOf = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase()

/** The error for what is no answer of a Taskwright server. */
export const unexpected = ({ status, url }: Response, what: string): UnexpectedAnswerError =>
  // browsers do not show a redirect that they do not follow
  new UnexpectedAnswerError(
    `${url || 'What answered'} ${status ? `(${status})` : 'leads elsewhere, or'} ${what}. Is baseUrl right?`,
    status,
  )

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The beginning of what a page says, without its markup. */
const gist = (text: string): string =>
  text
    .slice(0, 4_000)
    .replace(/<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
