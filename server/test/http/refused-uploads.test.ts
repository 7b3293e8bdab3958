import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { scratchFolder } from '../support/scratch.ts'
import { startServer } from '../support/world.ts'

const run = promisify(execFile)
const { base, newWorld } = await startServer()
const limited = await startServer({ rateLimit: { requests: 1, windowMs: 3_600_000 } })
const bytes = 5_000_000
const tries = 40

interface Case {
  /** begins with the status of the response */
  name: string
  method: string
  url: string
  headers: Record<string, string>
}

let folder = ''
let cases: Case[] = []
before(async () => {
  folder = await scratchFolder()
  const { owner } = await newWorld()
  const { owner: eager } = await limited.newWorld()
  await eager.get('/me')
  const json = { 'content-type': 'application/json' }
  const as = (key: string) => ({ ...json, authorization: `Bearer ${key}` })
  cases = [
    { name: '413', method: 'POST', url: `${base}/api/v1/tags`, headers: as(owner.key) },
    { name: '413 of /mcp', method: 'POST', url: `${base}/mcp`, headers: as(owner.key) },
    { name: '401', method: 'POST', url: `${base}/api/v1/tags`, headers: json },
    { name: '404', method: 'POST', url: `${base}/api/v1/nothing`, headers: as(owner.key) },
    { name: '405', method: 'PUT', url: `${base}/api/v1/tags`, headers: as(owner.key) },
    { name: '429', method: 'POST', url: `${limited.base}/api/v1/tags`, headers: as(eager.key) },
  ]
  await writeFile(`${folder}/cases.json`, JSON.stringify({ bytes, tries, cases }))
  await writeFile(`${folder}/body`, 'x'.repeat(bytes))
})
after(() => rm(folder, { recursive: true }))

const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

const statusOf = ({ name }: Case) => name.slice(0, 3)

/** Each was answered as it should be, every time. */
const allAnswered = () => Object.fromEntries(cases.map((one) => [one.name, { [statusOf(one)]: tries }]))

test('fetch always gets the refusal of a body that it is still sending', async () => {
  const counts: Record<string, Record<string, number>> = {}
  const body = 'x'.repeat(bytes)
  for (const { name, url, ...sent } of cases) {
    const count: Record<string, number> = {}
    for (let n = 0; n < tries; n++) {
      const status = await fetch(url, { ...sent, body }).then(
        (answer) => String(answer.status),
        (error) => String(error.cause ?? error),
      )
      count[status] = (count[status] ?? 0) + 1
    }
    counts[name] = count
  }
  assert.deepEqual(counts, allAnswered())
})

test('curl always gets the refusal of a body that it is still sending', async (t) => {
  if (!isThere('curl', '--version')) return t.skip('curl is not installed')
  for (const one of cases) {
    const { method, url, headers } = one
    for (const connection of ['keep-alive', 'close']) {
      const all = Object.entries({ ...headers, connection, expect: '' }).flatMap(([header, value]) => [
        '-H',
        `${header}:${value}`,
      ])
      const body = ['-X', method, '--data-binary', `@${folder}/body`]
      const shown = ['-s', '-S', '-o', '/dev/null', '-w', '%{http_code} ']
      const { stdout } = await run('curl', [...shown, ...all, ...body, `${url}?n=[1-${tries / 2}]`])
      assert.equal(stdout, `${statusOf(one)} `.repeat(tries / 2), `${one.name}, ${connection}`)
    }
  }
})

test("Python's http.client always gets the refusal of a body that it is still sending", async (t) => {
  if (!isThere('python3', '--version')) return t.skip('Python is not installed')
  const program = new URL('uploading/upload.py', import.meta.url).pathname
  const { stdout } = await run('python3', [program, `${folder}/cases.json`])
  assert.deepEqual(JSON.parse(stdout), allAnswered())
})

test('Go always gets the refusal of a body that it is still sending', async (t) => {
  if (!isThere('go', 'version')) return t.skip('Go is not installed')
  const program = new URL('uploading/upload.go', import.meta.url).pathname
  const env = { ...process.env, GOPROXY: 'off' }
  const { stdout } = await run('go', ['run', program, `${folder}/cases.json`], { env })
  assert.deepEqual(JSON.parse(stdout), allAnswered())
})
