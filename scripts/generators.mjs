import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './conformance/server.mjs'
import * as go from './generators/go.mjs'
import * as python from './generators/python.mjs'
import { Missing } from './generators/tools.mjs'
import * as typescript from './generators/typescript.mjs'
import { ensureInstalled } from './install.mjs'

const languages = { typescript, python, go }
const document = fileURLToPath(new URL('../server/openapi.json', import.meta.url))

process.exitCode = await listByEach()

/**
 * @returns the exit code: 0 if each language's client lists all tasks of a running server and, where supported, completes a
 * day's work
 */
async function listByEach() {
  ensureInstalled()
  const scratch = mkdtempSync(join(tmpdir(), 'taskwright-generators-'))
  // as root, PostgreSQL runs as another account
  chmodSync(scratch, 0o755)
  let server
  try {
    server = await startServer(scratch, randomBytes(16).toString('hex'), ['serve', '--demo'])
    const { api, base, key } = server
    const wanted = await tasksOf(api, key)
    const working = []
    for (const [language, { generator, everyTask, daysWork, goodDay }] of Object.entries(languages)) {
      const within = { document, scratch: join(scratch, language), base, key }
      const names = await tried(() => everyTask(within))
      if (names instanceof Missing) {
        process.stdout.write(`${generator} was not tried: ${names.message}\n`)
        continue
      }
      if (names.join('\n') !== wanted.join('\n')) throw new Error(`${generator} lists other tasks: ${names.length}`)
      process.stdout.write(`${generator}: a client that lists all ${names.length} tasks\n`)
      // later, because it creates a task
      if (daysWork) working.push(() => assert.deepEqual(daysWork(within), goodDay))
    }
    for (const work of working) work()
    if (working.length > 0) process.stdout.write(`${working.length} of them did a day's work\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await server?.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Runs a test. It does not fail if the language is missing on this machine. */
async function tried(work) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Missing) return error
    throw error
  }
}

/** The names of all tasks, in list order. */
async function tasksOf(api, key) {
  const names = []
  for (let cursor = ''; cursor !== null; ) {
    const query = `limit=100${cursor && `&cursor=${cursor}`}`
    const response = await fetch(`${api}/tasks?${query}`, { headers: { authorization: `Bearer ${key}` } })
    const { data, pagination } = await response.json()
    names.push(...data.map(({ name }) => name))
    cursor = pagination.nextCursor
  }
  return names
}
