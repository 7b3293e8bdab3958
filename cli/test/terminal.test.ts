import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { ReadStream, WriteStream } from 'node:tty'
import { openBrowser } from '../../server/test/support/browser.ts'
import { startSessionOf } from '../../server/test/support/founding.ts'
import { linesOf } from '../../server/test/support/slow/processes.ts'
import { inTerminal, program, twInTerminal } from '../../server/test/support/slow/pty.ts'
import { until } from '../../server/test/support/until.ts'
import { sharedServer } from '../../server/test/support/world.ts'
import { askHidden } from '../src/asking.ts'

const server = await sharedServer()

async function person() {
  const world = await server.newWorld()
  const folder = await mkdtemp(join(tmpdir(), 'tw-'))
  await symlink(program, join(folder, 'tw'))
  const nothing = { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, PATH: `${folder}:${process.env.PATH}` }
  const env = { ...nothing, TASKWRIGHT_URL: server.base, TASKWRIGHT_API_KEY: world.owner.key }
  return { ...world, nothing, env }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a terminal obeys
const obeyed = /\u001b\[[0-9;?]*[A-Za-z]/g

test('in a terminal tw asks for the URL and the key, and does not show the key', async (t) => {
  const { owner, nothing } = await person()
  const login = twInTerminal(t, ['login'], nothing)
  await login.shows(/URL of the server \[http:\/\/127\.0\.0\.1:3000\]: /)
  login.type(`${server.base}\r`)
  await login.shows(/API key \(hidden\): /)
  login.type(`${owner.key}x\u007f\r`)
  assert.equal(await login.ended(), 0)
  assert.match(login.shown(), /Signed in to .* as Olivia Owner/)
  assert.ok(!login.shown().includes(owner.key.slice(0, 8)))
})

test('in a terminal Enter signs in with the browser: a person approves the code, and tw stores a key of its own', async (t) => {
  const { orgId, member, nothing } = await person()
  const login = twInTerminal(t, ['login', '--url', server.base], nothing)
  await login.shows(/Press Enter to sign in with your browser/)
  login.type('\r')
  await login.shows(/if it shows the code [B-Z]{4}-[B-Z]{4}:/)
  await login.shows(/\/console\/device#code=[B-Z]{4}-[B-Z]{4}/)
  const [, code = ''] = /code=([B-Z]{4}-[B-Z]{4})/.exec(login.shown()) ?? []
  const browser = openBrowser(server.base)
  browser.cookies.set('tw_session', await startSessionOf(server.db, orgId, member.memberId))
  const approval = { organization: orgId, scopes: ['read'], expiresAt: null }
  assert.equal((await browser.post(`/auth/device/${code}/approve`, approval)).status, 204)
  assert.equal(await login.ended(), 0)
  assert.match(login.shown(), /Signed in to .* as Mia Member/)
  assert.doesNotMatch(login.shown(), /tw_\w{20}/)
})

test('input typed right after the prompt is not shown', async () => {
  let isHidden = false
  const input = Object.assign(new PassThrough(), {
    ref() {},
    unref() {},
    setRawMode: (raw: boolean) => (isHidden = raw),
  })
  const output = new PassThrough().setEncoding('utf8')
  const typed = output.once('data', () => input.write(isHidden ? 'hidden\r' : 'shown\r'))
  assert.equal(await askHidden('API key: ', input as unknown as ReadStream, typed as unknown as WriteStream), 'hidden')
  assert.equal(isHidden, false)
})

test('in a terminal tw asks before a deletion, and Ctrl-C means no', async (t) => {
  const { env, tag, owner } = await person()
  const { id } = await tag({ name: 'Urgent' })
  const answered = async (keys: string) => {
    const deletion = twInTerminal(t, ['tags', 'delete', 'Urgent'], env)
    await deletion.shows(/Urgent\. Continue\? \[y\/N\] /)
    deletion.type(keys)
    return deletion.ended()
  }
  assert.deepEqual(await Promise.all([answered('\r'), answered('\u0003')]), [2, 130])
  assert.equal((await owner.get(`/tags/${id}`)).status, 200)
  assert.equal(await answered('y\r'), 0)
  assert.equal((await owner.get(`/tags/${id}`)).status, 404)
})

test('a table fits the terminal and has colours, but none with NO_COLOR', async (t) => {
  const { env, project, task } = await person()
  const { id } = await project({ name: 'Web site', key: 'WEB' })
  await task({ projectId: id, name: 'A long name '.repeat(12).trim(), priority: 'urgent' })
  const inColour = twInTerminal(t, ['tasks', 'list'], env, 50)
  const plain = twInTerminal(t, ['tasks', 'list'], { ...env, NO_COLOR: '1' }, 50)
  assert.deepEqual(await Promise.all([inColour.ended(), plain.ended()]), [0, 0])
  assert.match(inColour.shown(), obeyed)
  assert.doesNotMatch(plain.shown(), obeyed)
  const lines = plain.shown().trimEnd().split('\r\n')
  assert.equal(lines.length, 2)
  assert.ok(lines.every((line) => line.length <= 50))
  assert.equal(inColour.shown().replace(obeyed, ''), plain.shown())
})

test('in bash, Tab completes the names of existing items', async (t) => {
  const { env, project } = await person()
  await project({ name: 'Web site', key: 'WEB' })
  const bash = inTerminal(t, 'bash', ['--norc', '--noprofile', '-i'], { ...env, PS1: 'ready> ' })
  await bash.shows(/ready> /)
  bash.type('eval "$(tw completion bash)"; echo load""ed\r')
  await bash.shows(/loaded/)
  bash.type('tw proj\tget W')
  await bash.shows(/tw projects get W/)
  // again: where the server takes too long the bell rings, and no more
  const completed = async () => {
    const { length } = bash.shown()
    bash.type('\t')
    await until(() => bash.shown().length > length, 'Nothing comes of Tab')
    return /tw projects get WEB /.test(bash.shown())
  }
  await until(completed, 'Tab does not complete it')
})

test('a command ends quietly when its reader stops reading, as head does', async () => {
  const { env, owner } = await person()
  const operations = Array.from({ length: 100 }, (_, i) => ({
    method: 'POST',
    path: '/tags',
    body: { name: `Tag ${i}` },
  }))
  await owner.post('/bulk', { operations })
  const pipe = `tw tags list --all --json --limit 5 | head -1; echo "\${PIPESTATUS[0]}"`
  const shell = spawn('bash', ['--norc', '-c', pipe], { env })
  const [out, err] = [linesOf(shell.stdout), linesOf(shell.stderr)]
  await once(shell, 'close')
  assert.deepEqual([out.all.length, out.all[1], err.all], [2, '0', []])
})

test('an output that cannot be written gets a message and its own exit code', async (t) => {
  if (!existsSync('/dev/full')) return t.skip('/dev/full is missing')
  const { env, tag } = await person()
  await tag({ name: 'Urgent' })
  const run = async (line: string) => {
    const shell = spawn('bash', ['--norc', '-c', line], { env })
    const [out, err] = [linesOf(shell.stdout), linesOf(shell.stderr)]
    const [code] = await once(shell, 'close')
    return [code, out.all, err.all]
  }
  const said = [
    'Cannot write to standard output: no space left on the device (ENOSPC). If the command changed something, the change is made.',
  ]
  for (const line of ['tags list', 'tags list --json --all', 'help', 'api GET /tags', 'whoami', 'completion bash'])
    assert.deepEqual([line, ...(await run(`tw ${line} > /dev/full`))], [line, 5, [], said])
  assert.deepEqual(await run('tw tags lst 2> /dev/full'), [5, [], []])
})
