import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { allMigrations, eventTypes, openapi, routes } from '../server/src/for-tools.ts'
import { clientFiles } from './client/client.ts'
import { operationsModule } from './command-line/operations.ts'
import type { Document } from './command-line/schema.ts'
import { withErrorCodes } from './error-codes.ts'
import { withTable } from './generated.ts'
import { withHashes } from './hashes.ts'
import { withRoles } from './roles.ts'
import { siteFiles } from './site/site.ts'
import { withVersion, withVersions } from './versions.ts'

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const { version, workspaces } = JSON.parse(await readFile(at('package.json'), 'utf8'))
const published: string[] = workspaces.filter((folder: string) => folder !== 'bench')
const migrations = await allMigrations()
const isCheck = process.argv.includes('--check')

const document = openapi(routes, eventTypes, version)
const client = Object.entries(clientFiles(routes, eventTypes, document))
const told = eventTypes.map(({ type, description }) => [`\`${type}\``, description])

/** Files generated from the routes, the migrations and the version; each function gets the current content. */
const generated: Record<string, (now: string) => string> = {
  'server/openapi.json': () => `${JSON.stringify(document, null, 2)}\n`,
  'cli/src/generated/operations.ts': () => operationsModule(routes, document as unknown as Document),
  'docs/roles.md': (now) => withRoles(now, routes),
  'docs/errors.md': withErrorCodes,
  'docs/events.md': (now) => withTable(now, 'docs/events.md', [['type', 'what it tells'], ...told]),
  'server/migrations.sha256': (now) => withHashes(now, migrations),
  ...Object.fromEntries(published.map((folder) => [`${folder}/package.json`, (now) => withVersion(now, version)])),
  'package-lock.json': (now) => withVersions(now, published, version),
  ...Object.fromEntries(client.map(([name, generate]) => [`client/src/generated/${name}`, generate])),
}

for (const [path, generate] of Object.entries(generated)) await bring(path, generate)
// last, because it reads pages that were just written
const site = siteFiles(routes, document)
for (const [name, generate] of Object.entries(site)) await bring(`server/docs-page/${name}`, generate)
for (const name of await readdir(at('server/docs-page/guides'))) {
  if (!(`guides/${name}` in site)) await remove(`server/docs-page/guides/${name}`)
}

async function bring(path: string, generate: (now: string) => string) {
  const now = await readFile(at(path), 'utf8').catch(() => '')
  const wanted = generate(now)
  if (now === wanted) return
  if (isCheck) return outOfDate(path)
  await mkdir(new URL('.', at(path)), { recursive: true })
  await writeFile(at(path), wanted)
}

async function remove(path: string) {
  if (isCheck) return outOfDate(path)
  await rm(at(path))
}

function outOfDate(path: string) {
  process.stderr.write(`${path} is out of date: run \`npm run generate\` and commit it.\n`)
  process.exitCode = 1
}
