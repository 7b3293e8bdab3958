import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { need, run } from './tools.mjs'

export const generator = 'oapi-codegen v2.8.2'
const program = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const runtime = 'github.com/oapi-codegen/runtime@v1.8.0'

const settings = `package: taskwright
generate: {models: true, client: true}
output: taskwright/client.go
# what only webhooks use is used
output-options: {skip-prune: true}
`

/**
 * Generates a Go client that lists all tasks.
 * @returns the names of the tasks, in list order
 * @throws Missing without Go or its module proxy; Error if the code does not compile
 */
export function everyTask({ document, scratch, base, key }) {
  mkdirSync(join(scratch, 'taskwright'), { recursive: true })
  writeFileSync(join(scratch, 'settings.yaml'), settings)
  copyFileSync(fileURLToPath(new URL('list_tasks.go', import.meta.url)), join(scratch, 'main.go'))
  const at = { cwd: scratch }
  need('it takes Go', 'go', ['mod', 'init', 'example'], at)
  need('it could not be had from the module proxy', 'go', ['run', program, '-version'], at)
  need(`${runtime} could not be had from the module proxy`, 'go', ['get', runtime], at)
  run('go', ['run', program, '-config', 'settings.yaml', document], at)
  run('go', ['mod', 'tidy'], at)
  return JSON.parse(run('go', ['run', '.', base, key], at))
}
