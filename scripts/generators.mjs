import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundOrganization } from './conformance/organization.mjs'
import { startServer } from './conformance/server.mjs'
import * as typescript from './generators/typescript.mjs'
import { ensureInstalled } from './install.mjs'

const languages = { typescript }
const document = fileURLToPath(new URL('../server/openapi.json', import.meta.url))

process.exitCode = await listByEach()

/** @returns the exit code: 0 when the client of each language lists all tasks of a running server */
async function listByEach() {
  ensureInstalled()
  const scratch = mkdtempSync(join(tmpdir(), 'taskwright-generators-'))
  // PostgreSQL runs as another account when this is root
  chmodSync(scratch, 0o755)
  let server
  try {
    const operatorToken = randomBytes(16).toString('hex')
    server = await startServer(scratch, operatorToken)
    const { key } = await foundOrganization(server.api, operatorToken, 'Listed')
    const base = server.api.replace(/\/api\/v1$/, '')
    const wanted = await tasksOf(server.api, key)
    for (const [language, { generator, everyTask }] of Object.entries(languages)) {
      const names = await everyTask({ document, scratch: join(scratch, language), base, key })
      if (names.join() !== wanted.join()) throw new Error(`${generator} lists other tasks:\n${names.join('\n')}`)
      process.stdout.write(`${generator}: a client that lists all ${names.length} tasks\n`)
    }
    return 0
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await server?.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The names of all tasks, in the order of the list, on one page: more than a client is to ask for at once. */
async function tasksOf(api, key) {
  const response = await fetch(`${api}/tasks?limit=100`, { headers: { authorization: `Bearer ${key}` } })
  const { data, pagination } = await response.json()
  if (data.length <= 10 || pagination.nextCursor !== null) throw new Error(`${data.length} tasks are no sample`)
  return data.map(({ name }) => name)
}
