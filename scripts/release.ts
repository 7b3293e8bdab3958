import { readFile, writeFile } from 'node:fs/promises'
import { begun } from './release/changelog.ts'
import { release } from './release/release.ts'

const usage = `npm run release                     make the release of the version that is worked on, in release/<version>
npm run release -- --next <x.y.z>   from now on that one is worked on`

const at = (path: string) => new URL(`../${path}`, import.meta.url)

const [flag, next = '', ...others] = process.argv.slice(2)
if (flag === undefined) await make()
else if (flag === '--next' && /^\d+\.\d+\.\d+$/.test(next) && others.length === 0) await begin(next)
else {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
}

async function make(): Promise<void> {
  const made = await release(new Date())
  if ('problems' in made) {
    process.stderr.write(`${made.problems.join('\n')}\nNothing was changed.\n`)
    process.exitCode = 1
    return
  }
  const { directory, version } = made
  process.stdout.write(
    `${version} is in ${directory}. If the gate (.ci/run) was green: commit what this changed as "Release ${version}", ` +
      `git tag -a v${version}, publish the directory, and npm run release -- --next x.y.z.\n`,
  )
}

async function begin(version: string): Promise<void> {
  const root = await readFile(at('package.json'), 'utf8')
  await writeFile(at('CHANGELOG.md'), begun(await readFile(at('CHANGELOG.md'), 'utf8'), version))
  await writeFile(at('package.json'), root.replace(/"version": "[^"]*"/, `"version": "${version}"`))
  process.stdout.write(`${version} is worked on: npm run generate says so everywhere else.\n`)
}
