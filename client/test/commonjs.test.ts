import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sharedServer } from '../../server/test/support/world.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const server = await sharedServer()

/** A project that is CommonJS, as npm makes it, with the package of the client as it is published. */
function commonJsProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commonjs-'))
  const own = join(folder, 'node_modules/@taskwright/client')
  mkdirSync(own, { recursive: true })
  cpSync(join(root, 'client/package.json'), join(own, 'package.json'))
  execFileSync(process.execPath, [join(root, 'scripts/build-client.mjs'), join(own, 'dist')])
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer' }))
  return folder
}

const program = `
const { Taskwright, NotFoundError, verifyWebhook } = require('@taskwright/client')
const tw = new Taskwright({ baseUrl: process.env.BASE, apiKey: process.env.KEY })
async function main() {
  const project = await tw.projects.create({ name: 'Garden', key: 'GARDEN' })
  await tw.tasks.create({ projectId: project.id, name: 'Paint' })
  for await (const task of tw.tasks.list({ projectId: project.id })) console.log(task.key, typeof verifyWebhook)
  await tw.tasks.get('GARDEN-9').catch((error) => console.log(error instanceof NotFoundError))
}
main()
`

const typed = `
import { type Event, Taskwright } from '@taskwright/client'
export const tw: Taskwright = new Taskwright({ baseUrl: 'http://127.0.0.1', apiKey: 'tw_x' })
export const nameIn = (event: Event): string | undefined => (event.type === 'task.created' ? event.snapshot.name : undefined)
// @ts-expect-error: it has types
export const wrong: number = tw
`

test('CommonJS programs require the client and have its types, and modules import the same package', async () => {
  const { owner } = await server.newWorld()
  const folder = commonJsProject()
  const env = { PATH: process.env.PATH, BASE: server.base, KEY: owner.key }
  const run = async (name: string, code: string) => {
    writeFileSync(join(folder, name), code)
    // Node 20.19 and newer can require modules: older ones, and tests of Jest, cannot
    const words = ['--no-experimental-require-module', name]
    return (await promisify(execFile)(process.execPath, words, { cwd: folder, env, timeout: 30_000 })).stdout
  }
  assert.equal(await run('program.js', program), 'GARDEN-1 function\ntrue\n')
  const imported = "import { Taskwright } from '@taskwright/client'; console.log(typeof Taskwright)"
  assert.equal(await run('program.mjs', imported), 'function\n')
  assert.equal(
    await run('later.cjs', "import('@taskwright/client').then((all) => console.log(typeof all.Taskwright))"),
    'function\n',
  )
  for (const name of ['typed.cts', 'typed.mts']) {
    writeFileSync(join(folder, name), typed)
    const words = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit', '--types', '']
    const compiler = [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...words,
      '--lib',
      'es2023,dom,dom.asynciterable',
      name,
    ]
    const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: folder, encoding: 'utf8' })
    assert.deepEqual([name, status, stdout], [name, 0, ''])
  }
})
