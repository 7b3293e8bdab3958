/** Where this server is, without a slash at the end: a proxy may have put it below a path. */
export const root = new URL('..', import.meta.url).href.slice(0, -1)
