import { readFile } from 'node:fs/promises'
import { breaksOf, mayBreak } from './compatibility/breaks.ts'
import { promisesOf } from './compatibility/promises.ts'
import { promisesIn } from './compatibility/record.ts'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')
const before = promisesIn(await read('server/openapi.released.json'))
const now = promisesOf(JSON.parse(await read('server/openapi.json')))

const breaks = breaksOf(before, now)
for (const sentence of breaks) process.stderr.write(`${sentence}.\n`)
if (breaks.length > 0 && mayBreak(before.version, now.version)) {
  process.stderr.write(`So ${now.version} breaks clients of ${before.version}, as it may: CHANGELOG.md is to say so.\n`)
} else if (breaks.length > 0) {
  process.stderr.write(
    `server/openapi.json breaks clients of ${before.version}, and ${now.version} may not: see "Release" in CONTRIBUTING.md.\n`,
  )
  process.exitCode = 1
}
