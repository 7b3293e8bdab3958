import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of packages to publish. */
export const folder = `${root}packed`

/**
 * Packs each published workspace.
 * @param destination an existing folder
 * @throws with npm's output
 */
export function pack(destination) {
  const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return workspaces
    .filter((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private !== true)
    .map((folder) => {
      const words = ['pack', '--json', '--loglevel', 'error', '--pack-destination', destination]
      const { status, stdout, stderr } = spawnSync('npm', words, { cwd: join(root, folder), encoding: 'utf8' })
      if (status !== 0) throw new Error(`npm pack failed in ${folder}:\n${stdout}${stderr}`)
      // the output of the build comes first
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
