import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)

/** The text of every program of the repository, by its path from the top. */
export function allSources(): Map<string, string> {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = names.split('\n').filter((file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(new URL(file, root)))
  return new Map(files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]))
}
