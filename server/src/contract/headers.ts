/** The headers of a request, names in small letters. */
export type Headers = Record<string, string | string[] | undefined>

/** The request headers that an answer to a caller depends on. @see RFC 9110 §12.5.5 */
export const variesByCaller = 'authorization, x-api-key, accept, origin'

/** How many headers a request may have. */
export const mostHeaders = 2_000
