import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Outcome, Sent, Volley } from './volley.ts'

const script = new URL('wrk.lua', import.meta.url).pathname

/** Runs a volley by wrk, of one thread: it shares the cores with what is measured. */
export async function wrkRun({ base, requests, connections, seconds }: Volley): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'taskwright-wrk-'))
  const list = join(directory, 'requests.lua')
  try {
    await writeFile(list, `return { ${requests.map(asLua).join(',\n')} }`)
    const load = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, base]
    const { stdout } = await promisify(execFile)('wrk', [...load, '--', list, randomUUID()])
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{')))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

// a string of ASCII in JSON is one of Lua too
const asLua = ({ method, path, headers, body }: Sent) => {
  const pairs = Object.entries(headers).map(([name, value]) => `[${quoted(name)}] = ${quoted(value)}`)
  const text = body === undefined ? '' : `, body = ${quoted(body)}`
  return `{ method = ${quoted(method)}, path = ${quoted(path)}, headers = { ${pairs.join(', ')} }${text} }`
}

const quoted = (text: string) => JSON.stringify(text)
