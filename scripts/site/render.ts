import { createRequire } from 'node:module'
import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import type { Route } from '../../server/src/for-tools.ts'
import type { SitePage } from './contents.ts'

interface Highlighter {
  highlight(code: string, options: { language: string }): { value: string }
  getLanguage(name: string): unknown
}

// importing its types would add browser types to all our sources
const hljs: Highlighter = createRequire(import.meta.url)('highlight.js')

/**
 * A page as the HTML inside `<main>`. Links go to other pages of the site and to operations; a link to anything else becomes
 * plain text.
 */
export function rendered(page: SitePage, pages: readonly SitePage[], routes: readonly Route[]): string {
  const ids = new Set<string>()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      html: () => '',
      image: () => '',
      heading({ tokens, depth }) {
        const text = withoutLinks(this.parser.parseInline(tokens))
        if (depth === 1) return `<h1 tabindex="-1">${text}</h1>\n`
        const id = idOf(plain(text))
        ids.add(id)
        return `<h${depth} id="${id}">${text} <a class="anchor" href="#${id}" aria-label="Link to ${plain(text)}">#</a></h${depth}>\n`
      },
      codespan({ text }) {
        const code = `<code>${escaped(text)}</code>`
        const route = routes.find((route) => isNamed(route, text))
        return route ? `<a href="/docs#${route.name}">${code}</a>` : code
      },
      link({ href, tokens }) {
        const text = withoutLinks(this.parser.parseInline(tokens))
        const to = addressOf(href, page, pages)
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`
      },
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], name: string) =>
          row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')
        const body = rows.map((row) => {
          const [, id = ''] = /^`(\w+)`$/.exec(row[0]?.text ?? '') ?? []
          const isNew = id !== '' && !ids.has(id)
          ids.add(id)
          return `<tr${isNew ? ` id="${id}"` : ''}>${cells(row, 'td')}</tr>\n`
        })
        return `<div class="table" tabindex="0"><table>\n<thead><tr>${cells(header, 'th')}</tr></thead>\n<tbody>\n${body.join('')}</tbody></table></div>\n`
      },
    },
  })
  return marked.parse(page.markdown, { async: false })
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The text of HTML. */
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[<>]/g, '')

const withoutLinks = (html: string) => html.replace(/<\/?a\b[^>]*>/g, '')

/** The anchor of a heading, in the format of other Markdown sites, so that links between files work there too. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Whether a text such as `GET /tasks/{id}` or `tasks.get` names an operation. */
function isNamed({ method, path, name }: Route, text: string): boolean {
  if (text === name) return name.includes('.')
  const [verb, address = ''] = text.split(' ')
  const shape = (it: string) =>
    it
      .replace(/^\/api\/v1/, '')
      .replace(/\?.*$/, '')
      .replace(/\{\w+\}/g, '{}')
  return verb === method && shape(address) === shape(path)
}

/** The URL of a link on the site; undefined if the site does not have the target. */
function addressOf(href: string, { path }: SitePage, pages: readonly SitePage[]): string | undefined {
  if (/^https?:/.test(href)) return href
  const [file = '', heading] = href.split('#')
  if (file === '') return href
  const wanted = posix.join(posix.dirname(path), file)
  const page = pages.find((other) => other.path === wanted)
  if (wanted === 'server/openapi.json') return '/api/v1/openapi.json'
  if (page === undefined) return undefined
  // a released changelog section keeps its links, but a heading may have changed
  const isGone = path === 'CHANGELOG.md' && heading !== undefined && !headingsOf(page).includes(heading)
  return `/docs/guides/${page.name}${heading === undefined || isGone ? '' : `#${heading}`}`
}

const headingsOf = ({ markdown }: SitePage) =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => idOf(heading))

const languages: Record<string, string> = { sh: 'bash', console: 'shell', ts: 'typescript', js: 'javascript' }

function codeBlock(text: string, lang: string): string {
  const known = languages[lang] ?? (isJson(text) ? 'json' : hljs.getLanguage(lang) ? lang : undefined)
  const shown =
    known === undefined || (lang === 'text' && known !== 'json')
      ? escaped(text)
      : hljs.highlight(text, { language: known }).value
  return `<div class="code"><pre tabindex="0"><code>${shown}</code></pre></div>\n`
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
