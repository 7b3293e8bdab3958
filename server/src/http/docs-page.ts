import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Route } from '../operations/route.ts'
import { readGuides } from './guides.ts'
import { withRelativeLinks } from './relative-links.ts'
import { madeWhenAsked, type StaticAnswer, staticAnswer } from './static-answer.ts'

const folder = new URL('../../docs-page/', import.meta.url)

const html = 'text/html; charset=utf-8'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// allow nothing from other hosts, no inline code, no HTML from strings, and no form that could put the key into a URL
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** By path, the response to a GET: the page to read and try the API in a browser, and the guides. */
type DocsPage = ReadonlyMap<string, StaticAnswer>

interface DocsPageOptions {
  routes: readonly Route[]
  eventTypes: readonly { type: string; description: string }[]
  compression: boolean
}

/**
 * Reads the files of the page at start, and each guide at its first request. No path of a request reaches the file system: the
 * map holds every path that exists.
 */
export function readDocsPage({ routes, eventTypes, compression }: DocsPageOptions): DocsPage {
  const options = {
    compression,
    others: { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' },
  }
  const typeOf = (name: string) => {
    const contentType = contentTypes[extname(name)]
    if (contentType === undefined) throw new Error(`${name} in ${folder} has no content type`)
    return contentType
  }
  const guides = readGuides(folder, readdirSync(new URL('guides/', folder)))
  const index = () => readFileSync(new URL('index.html', folder), 'utf8').replace('<!-- guides -->', guides.cards)
  const parts = readdirSync(folder).filter((name) => extname(name) !== '' && extname(name) !== '.html')
  const page = (path: string, make: () => string) =>
    [path, madeWhenAsked(() => withRelativeLinks(make(), path), html, options)] as const
  return new Map([
    page('/docs', index),
    page('/docs/', index),
    [
      '/docs/found.json',
      madeWhenAsked(() => guides.found(routes, eventTypes), 'application/json; charset=utf-8', options),
    ],
    ...parts.map(
      (name) => [`/docs/${name}`, staticAnswer(readFileSync(new URL(name, folder)), typeOf(name), options)] as const,
    ),
    ...guides.names.map((name) => page(`/docs/guides/${name}`, () => guides.page(name))),
  ])
}
