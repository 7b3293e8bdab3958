import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { inTime, until } from '../support/until.ts'

/** Lets each process of a server reject a promise that nothing handles, whenever it gets SIGUSR2. */
const rejecting = `data:text/javascript,${encodeURIComponent(
  "process.on('SIGUSR2', () => void Promise.reject(new Error('Nobody handles this')))",
)}`

const processesOf = async (pid: number): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', `${pid}`]).catch(() => ({ stdout: '' }))
  return [pid, ...stdout.trim().split('\n').filter(Boolean).map(Number)]
}

for (const [WORKERS, counted] of [
  ['1', { unhandled_rejections_total: 1, job_unhandled_rejections_total: 0 }],
  ['2', { unhandled_rejections_total: 2, job_unhandled_rejections_total: 1 }],
] as const)
  test(`an unhandled rejection is logged in full and counted, and the server continues, with WORKERS=${WORKERS}`, async (t) => {
    const settings = { ...(await onMigratedDatabase(t)), WORKERS, NODE_OPTIONS: `--import=${rejecting}` }
    const server = await serving(t, settings)
    const healthy = async () => assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
    await healthy()
    const pids = await processesOf(server.pid)
    assert.equal(pids.length, WORKERS === '1' ? 1 : 3)
    for (const pid of pids) process.kill(pid, 'SIGUSR2')
    const isLogged = () => server.err.all.filter((line) => line.includes('unhandled rejection')).length >= pids.length
    await until(isLogged, 'It is not logged')
    const [line = ''] = server.err.all.filter((one) => one.includes('unhandled rejection'))
    const { err, level } = JSON.parse(line)
    assert.equal(level, 50)
    assert.equal(err.message, 'Nobody handles this')
    assert.match(err.stack, /at process\./)
    for (let n = 0; n < 6; n++) await healthy()
    const metrics = await (await fetch(`${server.base}/metrics`)).text()
    for (const [name, count] of Object.entries(counted)) assert.match(metrics, new RegExp(`^${name} ${count}$`, 'm'))
    const { code } = await inTime(server.kill('SIGTERM'), 'The server does not end')
    assert.equal(code, 0)
  })
