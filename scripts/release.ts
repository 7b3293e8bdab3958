import { readFile, writeFile } from 'node:fs/promises'
import { promisesOf } from './compatibility/promises.ts'
import { recorded } from './compatibility/record.ts'
import { begun, released } from './release/changelog.ts'

const usage = `npm run release                     the version that is worked on is out, today
npm run release -- --next <x.y.z>   from now on that one is worked on`

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const read = (path: string) => readFile(at(path), 'utf8')

const [flag, next = '', ...others] = process.argv.slice(2)
if (flag === undefined) await release()
else if (flag === '--next' && /^\d+\.\d+\.\d+$/.test(next) && others.length === 0) await begin(next)
else {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
}

/** The day of the version goes into the changelog, and what its document promises is kept. */
async function release(): Promise<void> {
  const { version } = JSON.parse(await read('package.json'))
  await writeFile(at('CHANGELOG.md'), released(await read('CHANGELOG.md'), version, new Date()))
  await writeFile(
    at('server/openapi.released.json'),
    recorded(promisesOf(JSON.parse(await read('server/openapi.json')))),
  )
  process.stdout.write(`${version} is out: commit it, tag it v${version}, and publish what npm run pack makes.\n`)
}

async function begin(version: string): Promise<void> {
  const root = await read('package.json')
  await writeFile(at('CHANGELOG.md'), begun(await read('CHANGELOG.md'), version))
  await writeFile(at('package.json'), root.replace(/"version": "[^"]*"/, `"version": "${version}"`))
  process.stdout.write(`${version} is worked on: npm run generate says so everywhere else.\n`)
}
