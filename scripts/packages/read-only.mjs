import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Takes the right to write in a folder from everybody, as where an operator has installed something for others.
 * @returns what tells the names of what was changed, added or removed since, by whoever may write all the same
 */
export function makeReadOnly(folder) {
  spawnSync('chmod', ['-R', 'a-w', folder])
  const before = stamps(folder)
  return () => {
    const after = stamps(folder)
    return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
  }
}

/** Gives the right back, so that the folder can be removed; it may be missing. */
export function makeWritable(folder) {
  spawnSync('chmod', ['-R', 'u+w', folder])
}

function stamps(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  return new Map(
    paths.map((path) => {
      const { mtimeMs, size } = lstatSync(path)
      return [relative(folder, path), `${mtimeMs} ${size}`]
    }),
  )
}
