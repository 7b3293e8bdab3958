/**
 * Makes the links of a page relative to its path. The page then works with and without a proxy that removes a path prefix.
 */
export function withRelativeLinks(page: string, path: string): string {
  const root = '../'.repeat(path.split('/').length - 2) || './'
  return page.replaceAll(/ (href|src)="\//g, ` $1="${root}`)
}
