import { ConnectionError, NotFoundError, UnexpectedAnswerError } from './errors.ts'
import { isRefusal, refusalOf } from './refusals.ts'
import { isPassing } from './retries.ts'

/**
 * What an answer says: JSON, or the text of CSV.
 * @param goneIsDone whether 404 is as good as a success
 * @throws ApiError when it is a refusal; UnexpectedAnswerError when it is no answer of a Taskwright server; ConnectionError
 *   when its end is missing
 */
export function contentOf(response: Response, text: string, goneIsDone: boolean): unknown {
  const { ok, status, type, headers } = response
  if (ok) return successOf(response, text)
  const body = jsonOf(text)
  // what stands between may answer so too
  if (!isRefusal(response, body) && status !== 304 && status < 500 && !isPassing(status)) {
    const target = headers.get('location')
    // browsers do not show where a redirect leads
    if (type === 'opaqueredirect') throw unexpected(response, 'redirects to another URL')
    throw unexpected(response, target === null ? noAnswer(text) : `redirects to ${target}`)
  }
  const refusal = refusalOf(response, body ?? text, gist(text))
  if (goneIsDone && refusal instanceof NotFoundError) return undefined
  throw refusal
}

function successOf(response: Response, text: string): unknown {
  const type = typeOf(response)
  // JSON of nothing is an answer without its end
  if (text === '' && type !== 'application/json') return undefined
  if (type === 'text/csv') return text
  const body = jsonOf(text)
  if (body !== undefined) return body
  if (type === 'application/json') throw new ConnectionError('The response is incomplete')
  throw unexpected(response, noAnswer(text))
}

/** The media type of an answer. */
export const typeOf = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase()

/** The error for what is no answer of a Taskwright server. */
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

/** The beginning of what a page says, without its markup. */
const gist = (text: string): string =>
  text
    // bounded: by these 4,000 characters
    .slice(0, 4_000)
    .replace(/<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
