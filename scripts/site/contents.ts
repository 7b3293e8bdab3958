import { readdirSync, readFileSync } from 'node:fs'
import { basename, posix } from 'node:path'

/** A page of the site, made of a file in Markdown. */
export interface SitePage {
  /** from the top of the repository */
  path: string
  /** the last part of its address */
  name: string
  /** as the list of pages has it */
  title: string
  markdown: string
}

/** The pages of the site by their groups, and those that only links lead to. */
interface Site {
  groups: { title: string; pages: SitePage[] }[]
  linked: SitePage[]
}

interface Contents {
  groups: { title: string; others?: boolean; pages: { path: string; name?: string; title?: string }[] }[]
  /** pages that are for whoever works on the sources */
  elsewhere: string[]
}

const top = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, top), 'utf8')

/**
 * What docs/contents.json says. A page of docs/ that it does not name stands at the end of the group with `others`, and a
 * decision is there where a page links to it.
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
