import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Makes a folder read-only for everybody, as if an operator had installed it for others.
 * @returns a function that lists later changes, which root can still make
 */
export function makeReadOnly(folder) {
  spawnSync('chmod', ['-R', 'a-w', folder])
  const before = stamps(folder)
  return () => {
    const after = stamps(folder)
    return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
  }
}

/** Makes the folder writable again, so that it can be removed; it may be missing. */
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
