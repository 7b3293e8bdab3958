import { readFileSync } from 'node:fs'
import type { Route } from '../operations/route.ts'

/** Groups of guides in the order of the site. */
type Contents = readonly { title: string; pages: readonly { name: string; title: string }[] }[]

/** The guides, which a script generates from Markdown: whole pages and the search index. */
interface Guides {
  /** the names of all pages, including pages that the contents do not list */
  names: readonly string[]
  /** the HTML of a page */
  page(name: string): string
  /** the HTML list of guides for the start page */
  cards: string
  /** the search index as JSON: sections of guides, operations and types of events */
  found(routes: readonly Route[], eventTypes: readonly { type: string; description: string }[]): string
}

/**
 * Reads the generated guides.
 * @param folder holds the page and the folder `guides`
 * @param files the names of the files in `guides`
 */
export function readGuides(folder: URL, files: readonly string[]): Guides {
  const read = (name: string) => readFileSync(new URL(`guides/${name}`, folder), 'utf8')
  const contents: Contents = JSON.parse(read('contents.json'))
  const names = files.filter((name) => name.endsWith('.html')).map((name) => name.replace(/\.html$/, ''))
  return {
    names,
    page: (name) => composed(readFileSync(new URL('guide.html', folder), 'utf8'), name, read(`${name}.html`), contents),
    cards: contents.map(({ title, pages }) => `<li><h3>${title}</h3>${linksTo(pages)}</li>`).join('\n'),
    found: (routes, eventTypes) =>
      JSON.stringify([
        ...contents.flatMap(({ pages }) =>
          pages.flatMap(({ name, title }) => sectionsOf(read(`${name}.html`), { name, title })),
        ),
        ...routes.map(({ name, method, path, summary, description = '' }) => ({
          ...{ url: `/docs#${name}`, kind: 'operation', title: summary, name, within: `${method} ${path}` },
          text: description,
        })),
        ...eventTypes.map(({ type, description }) => ({
          ...{ url: '/docs#eventTypes', kind: 'event', title: type, name: type, within: 'Type of event' },
          text: description,
        })),
      ]),
  }
}

const linksTo = (pages: Contents[number]['pages'], current?: string) =>
  `<ul>${pages
    .map(({ name, title }) => {
      const here = name === current ? ' aria-current="page"' : ''
      return `<li><a href="/docs/guides/${name}"${here}>${title}</a></li>`
    })
    .join('')}</ul>`

function composed(template: string, name: string, article: string, contents: Contents): string {
  const all = contents.flatMap(({ pages }) => pages)
  const at = all.findIndex((page) => page.name === name)
  const [before, after] = at < 0 ? [] : [all[at - 1], all[at + 1]]
  const turn = (page: { name: string; title: string } | undefined, said: string) =>
    page
      ? `<a class="${said.toLowerCase()}" href="/docs/guides/${page.name}"><small>${said}</small>${page.title}</a>`
      : ''
  // bounded: by the guides, which are ours
  const sections = [...article.matchAll(/<h2 id="([^"]*)">(.*?) <a class="anchor"/g)]
  const parts: Record<string, string> = {
    title: textOf(/<h1[^>]*>(.*?)<\/h1>/.exec(article)?.[1] ?? name),
    nav: contents.map(({ title, pages }) => `<section><h2>${title}</h2>${linksTo(pages, name)}</section>`).join('\n'),
    article,
    turns: `${turn(before, 'Before')}${turn(after, 'Next')}`,
    sections: sections
      .map(([, id, title = '']) => `<li><a href="#${id}">${title.replace(/<\/?code>/g, '')}</a></li>`)
      .join(''),
  }
  return template.replace(/<!-- (\w+) -->/g, (_, part: string) => parts[part] ?? '')
}

/** Splits a guide for the search: its headings with the text below each, and the table rows that have an id. */
function sectionsOf(article: string, { name, title }: { name: string; title: string }) {
  const place = `/docs/guides/${name}`
  const sections = article.split(/(?=<h[123])/).flatMap((part) => {
    const [heading = '', id = ''] = /^<h[123](?: id="([^"]*)")?.*<\/h[123]>/.exec(part) ?? []
    // bounded: by the guides, which are ours
    const found = textOf(heading.replace(/<a class="anchor".*?<\/a>/, ''))
    const url = `${place}${id === '' ? '' : `#${id}`}`
    const text = textOf(part.slice(heading.length).replace(/<tr id=.*?<\/tr>/gs, ''))
    return heading === '' ? [] : [{ url, kind: 'guide', title: found, within: title, text }]
  })
  // bounded: by the guides, which are ours
  const rows = [...article.matchAll(/<tr id="([^"]*)"><td>(.*?)<\/td>(.*?)<\/tr>/gs)].map(
    ([, id, first = '', others = '']) => ({
      ...{ url: `${place}#${id}`, kind: 'guide', title: textOf(first) },
      ...{ within: title, text: textOf(others) },
    }),
  )
  return [...sections, ...rows]
}

/** Extracts the text from HTML that was generated from Markdown. */
const textOf = (html: string) =>
  // bounded: by the guides, which are ours
  html
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(?:span|code|a|em|strong)\b/.test(tag) ? '' : ' '))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
