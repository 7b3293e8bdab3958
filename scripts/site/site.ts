import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import type { Route } from '../../server/src/for-tools.ts'
import { readSite } from './contents.ts'
import { examples } from './examples.ts'
import { rendered } from './render.ts'

/** The guide files, by their names in server/docs-page/. */
export function siteFiles(routes: readonly Route[], document: object): Record<string, () => string> {
  const { groups, linked } = readSite()
  const pages = [...groups.flatMap(({ pages }) => pages), ...linked]
  const contents = groups.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ name, title }) => ({ name, title })),
  }))
  return {
    'guides/contents.json': () => `${JSON.stringify(contents, null, 2)}\n`,
    'minisearch.js': minified,
    'examples.json': () => `${JSON.stringify(examples(routes, document))}\n`,
    ...Object.fromEntries(pages.map((page) => [`guides/${page.name}.html`, () => rendered(page, pages, routes)])),
  }
}

const searching = fileURLToPath(import.meta.resolve('minisearch'))

/** The search library, minified for the browser. */
function minified(): string {
  const { code } = transformSync(readFileSync(searching, 'utf8'), { minify: true, format: 'esm', target: 'es2022' })
  return `/*! MiniSearch, MIT License, https://github.com/lucaong/minisearch */\n${code.replace(/\/\/# sourceMappingURL.*\n?/, '')}`
}
