/**
 * A page whose links into this server are relative to the path that it is asked for. So it works below a path that a proxy takes
 * off, and without that proxy.
 */
export function withRelativeLinks(page: string, path: string): string {
  const root = '../'.repeat(path.split('/').length - 2) || './'
  return page.replaceAll(/ (href|src)="\//g, ` $1="${root}`)
}
