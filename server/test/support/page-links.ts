/** A page with each relative link as the path that it leads to. @param path where the page was read */
export const withPaths = (page: string, path: string): string =>
  page.replaceAll(/ (href|src)="(\.[^"]*)"/g, (_, name: string, link: string) => {
    const { pathname, hash } = new URL(link, `http://localhost${path}`)
    return ` ${name}="${pathname}${hash}"`
  })
