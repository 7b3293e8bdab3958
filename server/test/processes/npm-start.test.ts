import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { afterwards } from '../support/afterwards.ts'
import { onMadeCluster, postmasterIn } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'

const cases = [
  { command: 'npm start', signal: 'SIGTERM' },
  { command: 'npm start', signal: 'SIGINT' },
  { command: 'npm run taskwright', signal: 'SIGTERM' },
] as const

for (const { command, signal } of cases) {
  test(`${signal} to the process of ${command} alone ends the server and its PostgreSQL before npm ends`, async (t) => {
    const settings = await onMadeCluster(t)
    const [program = 'npm', ...words] = command.split(' ')
    const npm = spawn(program, words, {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      env: { ...process.env, NODE_ENV: '', ...settings, PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
      // a group of its own, to end what would be left
      detached: true,
    })
    const ended = once(npm, 'exit')
    afterwards(t, async () => {
      try {
        process.kill(-(npm.pid ?? 0), 'SIGKILL')
      } catch {}
    })
    let base = ''
    for await (const line of createInterface(npm.stdout)) {
      base = /^Taskwright listening on (.*)$/.exec(line)?.[1] ?? ''
      if (base !== '') break
    }
    assert.equal((await fetch(`${base}/healthz`)).status, 200)
    npm.kill(signal)
    await inTime(ended, 'npm does not end')
    assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
    await assert.rejects(fetch(`${base}/healthz`), /fetch failed/)
  })
}
