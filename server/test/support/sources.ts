import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url).pathname

// what is installed, built or kept there: .gitignore
const isIgnored = /^(?:\.git|data|packed|release)\/|(?:^|\/)(?:node_modules|dist[^/]*)\//

/** The text of every program of the repository, by its path from the top. */
export function allSources(): Map<string, string> {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = folders
    .filter(({ name }) => !isIgnored.test(`${name}/`))
    .flatMap(({ name }) =>
      readdirSync(root + name, { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`),
    )
    .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !isIgnored.test(file))
  return new Map(files.map((file) => [file, readFileSync(root + file, 'utf8')]))
}
