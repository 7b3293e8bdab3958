/** The headers of a request, names in small letters. */
export type Headers = Record<string, string | string[] | undefined>

/** How many headers a request may have. */
export const mostHeaders = 2_000
