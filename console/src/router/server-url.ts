/** Where the server is, with a slash at the end: a proxy may have put it below a path. The script of this page lies in `console/`. */
export const serverUrl = new URL('..', import.meta.url)
