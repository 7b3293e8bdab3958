import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type StaticAnswer, staticAnswer } from './static-answer.ts'

const folder = new URL('../../docs-page/', import.meta.url)

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// nothing from other hosts, nothing inline, no HTML from strings, and no form that could put the key into a URL
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

/** The answer to a GET of each path of the page to read and try the API in a browser. */
export type DocsPage = ReadonlyMap<string, StaticAnswer>

/** Reads all files of the page at start. No path of a request reaches the file system: other paths do not exist. */
export function readDocsPage(compression: boolean): DocsPage {
  const page = new Map(readdirSync(folder).map((name) => [`/docs/${name}`, read(name, compression)]))
  const index = page.get('/docs/index.html')
  if (index === undefined) throw new Error(`There is no index.html in ${folder}`)
  page.delete('/docs/index.html')
  return page.set('/docs', index).set('/docs/', index)
}

function read(name: string, compression: boolean): StaticAnswer {
  const contentType = contentTypes[extname(name)]
  if (contentType === undefined) throw new Error(`${name} in ${folder} has no content type`)
  return staticAnswer(readFileSync(new URL(name, folder)), contentType, {
    compression,
    others: { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' },
  })
}
