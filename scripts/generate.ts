import { readFile, writeFile } from 'node:fs/promises'
import { openapi } from '../server/src/http/openapi.ts'
import { routes } from '../server/src/resources/index.ts'

const target = new URL('../server/openapi.json', import.meta.url)
const { version } = JSON.parse(await readFile(new URL('../server/package.json', import.meta.url), 'utf8'))
const document = `${JSON.stringify(openapi(routes, version), null, 2)}\n`

if (process.argv.includes('--check')) {
  const committed = await readFile(target, 'utf8').catch(() => '')
  if (committed !== document) {
    process.stderr.write('server/openapi.json is out of date: run `npm run generate` and commit it.\n')
    process.exitCode = 1
  }
} else {
  await writeFile(target, document)
}
