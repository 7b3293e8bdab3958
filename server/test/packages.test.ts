import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './documentation/pages.ts'

const always = ['LICENSE', 'README.md', 'package.json']

/** What each package holds beside these: where a folder stands for all that is in it, or a pattern for what is built. */
const packages: Record<string, { folders?: string[]; built: RegExp; files?: string[] }> = {
  server: {
    folders: ['docs-page', 'migrations', 'ops'],
    files: ['CHANGELOG.md', 'bin/taskwright.mjs'],
    built: /^dist\/(taskwright\.cjs(\.map)?|console\/(files\.json|index\.html|[\w-]+\.(js|css|svg)))$/,
  },
  cli: { files: ['bin/tw.mjs'], built: /^dist\/(tw|through-proxies)\.js$/ },
  client: { built: /^dist\/(index\.js|cjs\/(index\.js|package\.json)|[\w/-]+\.d\.ts)$/ },
}

test('the content of every published package is checked', async () => {
  const { workspaces } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  assert.deepEqual(
    Object.keys(packages).sort(),
    workspaces.filter((folder: string) => !['bench', 'console'].includes(folder)).sort(),
  )
})

for (const [folder, { folders = [], files = [], built }] of Object.entries(packages)) {
  test(`the package of ${folder}/ has what it needs and nothing else, and runs nothing on installation`, async () => {
    const pack = ['pack', '--dry-run', '--json', '--loglevel', 'error']
    const { stdout } = await promisify(execFile)('npm', pack, { cwd: root + folder })
    const [{ files: packed }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
    const names: string[] = packed.map(({ path }: { path: string }) => path)
    const within = await Promise.all(
      folders.map(async (name) => (await filesIn(join(root, folder, name))).map((file) => `${name}/${file}`)),
    )
    const wanted = [...always, ...files, ...within.flat()]
    assert.deepEqual(names.filter((name) => !built.test(name)).sort(), wanted.sort())
    assert.ok(names.some((name) => built.test(name)))
    assert.equal(names.includes('dist/console/index.html'), folder === 'server')

    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.scripts ?? {}), ['prepack'])
    assert.equal(await readFile(join(root, folder, 'LICENSE'), 'utf8'), await readFile(`${root}LICENSE`, 'utf8'))
    const programs = names.filter((name) => /\.[cm]?js$/.test(name) && !/^(docs-page|dist\/console)\//.test(name))
    const texts = await Promise.all(programs.map((name) => readFile(join(root, folder, name), 'utf8')))
    assert.deepEqual(
      libraries(texts.join('\n')),
      // one is there for its version alone
      Object.keys(manifest.dependencies ?? {}).filter((name) => name !== 'light-my-request'),
    )
  })
}

/** Every file below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** What a program imports that is neither Node's nor its own. */
function libraries(program: string): string[] {
  const imported = [
    ...program.matchAll(/^(?:import|export)\b[^'"\n]*["']([^'"]+)["'];?$|\b(?:import|require)\(["']([^'"]+)["']\)/gm),
  ]
  const names = imported.map(([, one, other]) =>
    (one ?? other ?? '')
      .split('/')
      .slice(0, /^["']?@/.test(one ?? other ?? '') ? 2 : 1)
      .join('/'),
  )
  return [...new Set(names)].filter((name) => !/^(\.|node:)/.test(name) && !builtinModules.includes(name)).sort()
}
