import * as client from 'openid-client'
import { OidcProblem, type OidcProblemCode } from './problem.ts'

/** Translates an error of the library. An error that no provider can cause is returned as it is: it is our bug. */
export function problemOf(error: unknown, issuer: string): unknown {
  const own = problemWithin(error)
  if (own) return own
  const problem = (code: OidcProblemCode, detail: string) =>
    new OidcProblem(code, `${issuer}: ${detail}`, { cause: error })
  if (error instanceof client.AuthorizationResponseError)
    return problem(error.error === 'access_denied' ? 'sign_in_cancelled' : 'provider_refused', saidBy(error))
  if (error instanceof client.ResponseBodyError) return problem(codeOfTokenError(error.error), saidBy(error))
  if (error instanceof client.WWWAuthenticateChallengeError)
    return problem('client_refused', `status ${error.status} with a challenge`)
  if (error instanceof client.ClientError) return problem(codeOf(error), sentencesOf(error))
  // an endpoint that is no URL
  if (error instanceof TypeError && (error as NodeJS.ErrnoException).code === 'ERR_INVALID_URL')
    return problem('provider_misconfigured', error.message)
  return error
}

function problemWithin(error: unknown): OidcProblem | undefined {
  if (error instanceof OidcProblem) return error
  return error instanceof Error && error.cause !== undefined ? problemWithin(error.cause) : undefined
}

/** @see RFC 6749 §5.2 */
function codeOfTokenError(code: string): OidcProblemCode {
  if (code === 'invalid_grant') return 'code_refused'
  if (code === 'invalid_client' || code === 'unauthorized_client') return 'client_refused'
  return code === 'temporarily_unavailable' || code === 'server_error' ? 'provider_unreachable' : 'provider_refused'
}

function codeOf(error: client.ClientError): OidcProblemCode {
  const text = sentencesOf(error)
  switch (error.code) {
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return 'provider_unreachable'
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return 'clocks_differ'
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
      return isServerError(error.cause) ? 'provider_unreachable' : 'provider_misconfigured'
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
    case 'OAUTH_MISSING_SERVER_METADATA':
    case 'OAUTH_INVALID_SERVER_METADATA':
    case 'OAUTH_HTTP_REQUEST_FORBIDDEN':
    case 'OAUTH_REQUEST_PROTOCOL_FORBIDDEN':
      return 'provider_misconfigured'
    default:
      if (/response parameter "iss"|"iss" \(issuer\) response parameter/.test(text)) return 'other_provider'
      return text.includes('"sub" (subject) claim missing') ? 'subject_missing' : 'id_token_invalid'
  }
}

const isServerError = (cause: unknown) => cause instanceof Response && cause.status >= 500

// a provider writes these texts: they go into a line of the log only
const saidBy = ({
  error,
  error_description: description = '',
}: {
  error: string
  error_description?: string | undefined
}) =>
  `${error} ${description}`
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 300)

/** The message of an error and of its causes. */
function sentencesOf(error: unknown): string {
  if (error instanceof Response) return `status ${error.status}`
  if (!(error instanceof Error)) return ''
  return [error.message, sentencesOf(error.cause)].filter((one) => one !== '').join(': ')
}
