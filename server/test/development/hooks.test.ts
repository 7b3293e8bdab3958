import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../documentation/pages.ts'
import { afterwards } from '../support/afterwards.ts'

const formatted = "export const one = 'one'\n"

test('npm run hooks makes a commit format its files, and refuses one with type errors', async (t) => {
  const { git, read, write } = await repository(t)
  await write('export const one = "one";')
  await git('add', '.')
  await git('commit', '-m', 'One')
  assert.deepEqual([await read(), await git('show', 'HEAD:server/one.ts')], [formatted, formatted])
  await write("export const one: number = 'one'\n")
  await assert.rejects(git('commit', '-am', 'Two'), /Type 'string' is not assignable to type 'number'/)
  assert.equal(await git('log', '--format=%s'), 'One\n')
})

test('a commit of a part of a file takes nothing else of it, and rewrites nothing', async (t) => {
  const { git, read, write } = await repository(t)
  await write(formatted)
  await git('add', '.')
  const more = `${formatted}export const two = 2\n`
  await write(more)
  await git('commit', '-m', 'One')
  assert.deepEqual([await git('show', 'HEAD:server/one.ts'), await read()], [formatted, more])
  await write(`${formatted}export   const two = 2\n`)
  await git('add', '.')
  await write(`${formatted}export   const two = 3\n`)
  await assert.rejects(git('commit', '-m', 'Two'), /Formatter would have printed/)
  assert.equal(await read(), `${formatted}export   const two = 3\n`)
})

test('a commit with a subject of more than 72 characters is refused, with the reason', async (t) => {
  const { git, write } = await repository(t)
  await write(formatted)
  await git('add', '.')
  const longest = `Größe ${'x'.repeat(66)}`
  await assert.rejects(
    git('commit', '-m', `${longest}x`),
    /Not committed: the subject has 73 characters, and at most 72/,
  )
  await git('commit', '-m', `${longest}\n\nThe body has lines of any length: ${'x'.repeat(80)}`)
  await git('commit', '--allow-empty', '--fixup', 'HEAD')
  assert.equal(await git('log', '--format=%s'), `fixup! ${longest}\n${longest}\n`)
})

/** A clone with one source in it, in which the hooks were turned on. */
async function repository(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-hooks-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  for (const name of ['.githooks', '.gitignore', 'biome.json', 'scripts/lint', 'tsconfig.json', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'server'))
  const { PATH = '' } = process.env
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' }
  const env = { PATH, HOME: folder, ...author, ...committer }
  const run = async (program: string, words: readonly string[]) => {
    const { stdout } = await promisify(execFile)(program, words, { cwd: folder, env }).catch(({ stdout, stderr }) => {
      throw new Error(stdout + stderr)
    })
    return stdout
  }
  const git = (...words: string[]) => run('git', words)
  await git('init', '--quiet')
  await run('npm', ['run', '--silent', 'hooks'])
  const source = join(folder, 'server/one.ts')
  return { git, read: () => readFile(source, 'utf8'), write: (text: string) => writeFile(source, text) }
}
