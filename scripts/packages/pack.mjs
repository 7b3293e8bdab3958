import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where packages are put that are to be published. */
export const folder = `${root}packed`

/**
 * Makes the package of each workspace that is published.
 * @param destination a folder that is there
 * @throws with what npm says
 */
export function pack(destination) {
  const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return workspaces
    .filter((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private !== true)
    .map((folder) => {
      const words = ['pack', '--json', '--loglevel', 'error', '--pack-destination', destination]
      const { status, stdout, stderr } = spawnSync('npm', words, { cwd: join(root, folder), encoding: 'utf8' })
      if (status !== 0) throw new Error(`npm pack failed in ${folder}:\n${stdout}${stderr}`)
      // what is said while it is built stands before
      const [{ name, filename, size, unpackedSize, files }] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)))
      return {
        name,
        folder,
        file: join(destination, filename),
        packedBytes: size,
        unpackedBytes: unpackedSize,
        files: files.length,
      }
    })
}
