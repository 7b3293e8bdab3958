import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { notFound } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import type { Answer } from '../operations/answer.ts'
import { withRelativeLinks } from './relative-links.ts'
import { madeWhenAsked, type StaticAnswer, staticAnswer } from './static-answer.ts'

const folder = new URL('../../dist/console/', import.meta.url)

const html = 'text/html; charset=utf-8'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': html,
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// allow nothing from other hosts, no inline code, no HTML from strings, and no form that could put a key into a URL
const contentSecurityPolicy = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'connect', 'font', 'manifest'].map((kind) => `${kind}-src 'self'`),
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const others = { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' }
// the name of a file contains a hash of its content. A browser applies a policy to pages and pictures, not to scripts and styles
const forGood = { 'cache-control': 'public, max-age=31536000, immutable' }
const forGoodWithPolicy = { ...others, ...forGood }

/**
 * Reads the files of the console at start, so no path of a request reaches the file system. For a path without a file extension,
 * the server sends the page, and the page shows the right view.
 * @returns a function that answers a GET @throws 404 for an unknown file, or for a path deeper than `deepestPage`
 */
export function readConsole(compression: boolean): (asked: Headers, path: string) => Answer {
  const files = new Map<string, StaticAnswer>()
  let index = ''
  for (const [name, body] of filesOfOneBuild()) {
    const contentType = contentTypes[extname(name)]
    if (contentType === undefined) throw new Error(`${name} in ${folder} has no content type`)
    if (name === page) index = body.toString()
    else {
      const headers = name.endsWith('.svg') ? forGoodWithPolicy : forGood
      files.set(name, staticAnswer(body, contentType, { compression, others: headers }))
    }
  }
  // links are relative, so each depth of path needs its own copy of the page
  const pages = Array.from({ length: deepestPage + 1 }, (_, depth) =>
    madeWhenAsked(() => withRelativeLinks(index, '/'.repeat(depth)), html, { compression, others }),
  )
  return (asked, path) => {
    const isFile = path.slice(path.lastIndexOf('/')).includes('.')
    const found = isFile ? files.get(path.slice('/console/'.length)) : pages[path.split('/').length - 1]
    if (found === undefined) throw notFound()
    return found(asked)
  }
}

// slashes in a path; the deepest view of the console has four
const deepestPage = 8

const page = 'index.html'

/** Reads the files that `files.json` lists. If another process builds the console meanwhile, the list changes: read again. */
function filesOfOneBuild(): [name: string, body: Buffer][] {
  const named = () => readFileSync(new URL('files.json', folder), 'utf8')
  const list = named()
  try {
    return (
      (JSON.parse(list) as string[])
        // the published package has no source maps
        .filter((name) => !name.endsWith('.map') || existsSync(new URL(name, folder)))
        .map((name) => [name, readFileSync(new URL(name, folder))])
    )
  } catch (error) {
    if (list !== named()) return filesOfOneBuild()
    throw error
  }
}
