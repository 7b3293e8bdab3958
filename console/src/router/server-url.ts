/** The server's address, with a trailing slash. A proxy may serve it below a path. This page's script is in `console/`. */
export const serverUrl = new URL('..', import.meta.url)
