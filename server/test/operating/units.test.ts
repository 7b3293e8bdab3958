import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Environment } from '../../src/config.ts'
import { root } from '../documentation/pages.ts'
import { afterwards } from '../support/afterwards.ts'
import { keyIn, linesOf, onEmptyDirectory, outcome } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'

const unit = readFileSync(`${root}ops/systemd/taskwright.service`, 'utf8')

test('the systemd unit allows only what it names', (t) => {
  const { status, stdout } = analyze(
    t,
    'security',
    '--offline=true',
    '--threshold=11',
    '--no-pager',
    `${root}ops/systemd/taskwright.service`,
  )
  if (status === undefined) return
  assert.equal(status, 0, stdout)
})

test('systemd understands every line of the unit', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-unit-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  const path = join(folder, 'taskwright.service')
  // the program is not installed where the tests run
  await writeFile(path, unit.replace('/opt/taskwright/bin/taskwright serve', process.execPath))
  const { status, stderr } = analyze(t, 'verify', '--man=no', path)
  if (status === undefined) return
  assert.deepEqual([status, stderr], [0, ''])
})

test('a command on the machine has the settings of the service, and its own settings override them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-command-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  const path = join(folder, 'taskwright')
  // neither the account nor the folders are there where the tests run
  await writeFile(
    path,
    readFileSync(`${root}ops/systemd/taskwright.sh`, 'utf8')
      .replaceAll('/etc/taskwright/', `${folder}/`)
      .replace(/setpriv .*taskwright "/, 'printenv "')
      .replace('cd /var/lib/taskwright', `cd ${folder}`),
  )
  await chmod(path, 0o755)
  await writeFile(join(folder, 'settings'), "PORT='3000'\nDATABASE_URL='postgres://there/it is'\n")
  const said = (env: Record<string, string>) =>
    spawnSync(path, ['DATA_DIR', 'DATABASE_URL', 'PORT', 'HOME'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: '/root', ...env },
    }).stdout.split('\n')
  const [data, home] = ['/var/lib/taskwright', '/var/lib/taskwright']
  assert.deepEqual(said({}), [data, 'postgres://there/it is', '3000', home, ''])
  assert.deepEqual(said({ PORT: '3001' }), [data, 'postgres://there/it is', '3001', home, ''])
  // a drill gets nothing of production
  assert.deepEqual(said({ DATA_DIR: '/srv/drill' }), ['/srv/drill', home, ''])
  const forOne = { DATA_DIR: '/srv/a drill', DATABASE_URL: "postgres://here/it's", PORT: '3001' }
  assert.deepEqual(said(forOne), ['/srv/a drill', "postgres://here/it's", '3001', home, ''])
})

test('the operator files use only existing settings', () => {
  const known = Object.keys(Environment.shape)
  const set = [
    ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) => words.match(/\w+(?==)/g) ?? []),
    ...(readFileSync(`${root}ops/kubernetes/taskwright.yaml`, 'utf8').match(/(?<=- \{ name: )[A-Z_]+(?=, value)/g) ??
      []),
    ...(readFileSync(`${root}ops/compose.yaml`, 'utf8').match(/^ {6}(?!POSTGRES)[A-Z_]+(?=:)/gm) ?? []).map((name) =>
      name.trim(),
    ),
    ...(/^ENV ([\s\S]*?[^\\])$/m
      .exec(readFileSync(`${root}ops/container/Containerfile`, 'utf8'))?.[1]
      ?.match(/\w+(?==)/g) ?? []),
  ]
  assert.ok(set.length > 8, set.join())
  const others = set.filter((name) => !known.includes(name))
  assert.deepEqual(new Set(others), new Set(['NODE_ENV', 'PATH']))
})

test('with the system calls that the unit allows, and as an ordinary account, the server creates its PostgreSQL and serves', async (t) => {
  const canFilter = spawnSync('python3', ['-c', "import ctypes; ctypes.CDLL('libseccomp.so.2')"]).status === 0
  if (!canFilter || analyze(t, '--version').status === undefined)
    return t.skip('python3, libseccomp or systemd is missing')
  const { DATA_DIR } = await onEmptyDirectory(t)
  const [uid, gid] = process.geteuid?.() === 0 ? [65_534, 65_534] : [process.geteuid?.(), process.getegid?.()]
  await chown(DATA_DIR, Number(uid), Number(gid))
  const sets = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)].flatMap(([, not = '', names = '']) =>
    names.split(' ').map((name) => not + name),
  )
  const filter = `${root}server/test/operating/as-the-unit-allows.py`
  const program = `${root}server/bin/taskwright.mjs`
  // made of its sources, where another account could not write
  await outcome(t, ['--version'], {})
  const words = [filter, String(uid), String(gid), sets.join(' '), process.execPath, program, 'serve']
  const child = spawn('python3', words, {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  afterwards(t, async () => void child.kill('SIGKILL'))
  const [out, err] = [linesOf(child.stdout), linesOf(child.stderr)]
  const listens = out.first((line) => line.startsWith('Taskwright listening on '))
  await inTime(Promise.race([listens, ended]), 'It does not listen')
  assert.equal(child.exitCode, null, err.all.join('\n'))
  const [, base = ''] = /listening on (\S+)/.exec(out.all.join('\n')) ?? []
  assert.equal(
    (await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${keyIn(out.all)}` } })).status,
    200,
  )
  child.kill('SIGTERM')
  assert.deepEqual(await inTime(ended, 'It does not end'), [0, null])
})

function analyze(t: TestContext, ...words: string[]) {
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  if (error) t.skip('systemd-analyze is missing')
  return { status: error ? undefined : status, stdout, stderr }
}
