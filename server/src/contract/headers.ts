/** The headers of a request, by name in lower case. */
export type Headers = Record<string, string | string[] | undefined>

/** The request headers that the response to a caller depends on. @see RFC 9110 §12.5.5 */
export const variesByCaller = 'authorization, x-api-key, cookie, x-organization, accept, origin'

/** The limit of headers in a request. */
export const mostHeaders = 2_000
