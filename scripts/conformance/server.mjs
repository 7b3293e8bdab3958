import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const start = fileURLToPath(new URL('../start.mjs', import.meta.url))
const errorLevel = 50

/**
 * Starts a server with its own data on a free port.
 * @param words such as `serve --demo`
 */
export async function startServer(scratch, operatorToken, words = []) {
  const log = join(scratch, 'log')
  const child = spawn(process.execPath, [start, ...words], {
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
      ...{ DATA_DIR: join(scratch, 'data'), OPERATOR_TOKEN: operatorToken },
    },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const { base, key } = await listening(child, ended).catch(() => {
    throw new Error(`The server did not start:\n${readFileSync(log, 'utf8')}`)
  })
  const metrics = async () => {
    const response = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
    const samples = (await response.text()).matchAll(/^http_requests_total\{.*status="(\d+)".*\} (\d+)$/gm)
    return [...samples].map(([, status, count]) => ({ status, count: Number(count) }))
  }
  return {
    base,
    /** of the owner of the first organization */
    key,
    api: `${base}/api/v1`,
    /** the number of requests, from the server's metrics */
    requests: async () => (await metrics()).reduce((sum, { count }) => sum + count, 0),
    /** the number of responses by status */
    async summary() {
      const counts = {}
      for (const { status, count } of await metrics()) counts[status] = (counts[status] ?? 0) + count
      const parts = Object.entries(counts).map(([status, count]) => `${status}: ${count}`)
      return `${await this.requests()} requests (${parts.join(', ')})`
    },
    /** whether a key still works */
    knows: async (key) => (await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).ok,
    /** the unexpected errors in its log */
    unforeseen: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{') && JSON.parse(line).level >= errorLevel)
        .map((line) => `${line}\n`)
        .join(''),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function listening(child, ended) {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
      const [, address] = /listening on (\S+)/.exec(printed) ?? []
      if (address) resolve({ base: address, key: /\btw_\w+/.exec(printed)?.[0] })
    })
    ended.then(reject)
  })
}
