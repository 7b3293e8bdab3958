import { readdirSync, readFileSync } from 'node:fs'
import { basename, posix } from 'node:path'

/** A page of the site, from a Markdown file. */
export interface SitePage {
  /** from the root of the repository */
  path: string
  /** the last part of its URL */
  name: string
  /** in the list of pages */
  title: string
  markdown: string
}

/** The pages of the site: groups, and pages that only links reach. */
interface Site {
  groups: { title: string; pages: SitePage[] }[]
  linked: SitePage[]
}

interface Contents {
  groups: { title: string; others?: boolean; pages: { path: string; name?: string; title?: string }[] }[]
  /** pages for people who work on the sources */
  elsewhere: string[]
}

const top = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, top), 'utf8')

/**
 * Reads docs/contents.json. A page of docs/ without an entry comes last in the group with `others`. The site has a decision
 * only if a page links to it.
 */
export function readSite(): Site {
  const { groups, elsewhere }: Contents = JSON.parse(read('docs/contents.json'))
  const named = [...groups.flatMap(({ pages }) => pages.map(({ path }) => path)), ...elsewhere]
  const others = readdirSync(new URL('docs/', top))
    .filter((name) => name.endsWith('.md') && !named.includes(`docs/${name}`))
    .sort()
    .map((name) => ({ path: `docs/${name}` }))
  const made = groups.map(({ title, others: takesOthers, pages }) => ({
    title,
    pages: [...pages, ...(takesOthers ? others : [])].map(pageOf),
  }))
  return { groups: made, linked: decisionsLinkedFrom(made.flatMap(({ pages }) => pages)) }
}

function pageOf({ path, name, title }: { path: string; name?: string; title?: string }): SitePage {
  const markdown = read(path)
  const [, heading = path] = /^# (.*)$/m.exec(markdown) ?? []
  return { path, name: name ?? basename(path, '.md'), title: title ?? heading.replaceAll('`', ''), markdown }
}

function decisionsLinkedFrom(pages: readonly SitePage[], found: SitePage[] = []): SitePage[] {
  const known = new Set([...pages, ...found].map(({ path }) => path))
  const paths = pages.flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/\]\(([^)#\s]*\d{4}-[\w-]+\.md)/g)].map(([, to = '']) => posix.join(posix.dirname(path), to)),
  )
  const more = [...new Set(paths)].filter((path) => path.startsWith('docs/decisions/') && !known.has(path))
  const read = more.map((path) => pageOf({ path, name: `decision-${basename(path, '.md')}` }))
  return read.length === 0 ? found : decisionsLinkedFrom(read, [...found, ...read])
}
