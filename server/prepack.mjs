import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtProgram } from './build.mjs'

// what the package holds that is not kept here: the program, and what stands beside the folder of the server
await builtProgram()
for (const name of ['CHANGELOG.md', 'ops'])
  cpSync(at(`../${name}`), at(name), { recursive: true, preserveTimestamps: true })

function at(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}
