import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pack.mjs'

const page = readFileSync(`${root}docs/first-integration.md`, 'utf8')
const chapter = /^## From an empty directory$[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? ''
const [, program = '', commands = ''] = [...chapter.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text]) => text)

/** Runs the program and the commands of the page. @returns their output */
export function followPage(project, { base, key }) {
  writeFileSync(join(project, 'program.mjs'), program)
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TASKWRIGHT_URL: base, NO_UPDATE_NOTIFIER: '1' }
  const script = `set -eu\n${commands.replace('tw_…', key)}`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: project, env, encoding: 'utf8' })
  const printed = /^GARDEN-2 Mow the lawn\nGARDEN-1 Paint the fence\n[\s\S]*GARDEN-2[\s\S]*Garden/
  if (status !== 0 || !printed.test(stdout))
    throw new Error(`The commands of the page ended with ${status}:\n${stdout}${stderr}`)
  return stdout.trim()
}

/** Starts the MCP server as an agent does and sends a greeting. @returns the name of the server */
export function askAsAgent(project, { base, key }) {
  const clientInfo = { name: 'stranger', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TASKWRIGHT_URL: base, TASKWRIGHT_API_KEY: key }
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
  const program = join(project, 'node_modules/.bin/tw')
  const { stdout, stderr } = spawnSync(program, ['mcp'], { cwd: project, env, input, encoding: 'utf8' })
  const { serverInfo } = JSON.parse(stdout || '{}').result ?? {}
  if (serverInfo === undefined) throw new Error(`tw mcp answers:\n${stdout}${stderr}`)
  return `${serverInfo.name} ${serverInfo.version}`
}

/**
 * Compiles the program as TypeScript with the strictest settings, including the libraries' types. @throws with the compiler's
 * output
 */
export function compile(project, resolution) {
  writeFileSync(join(project, 'program.ts'), program)
  const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
  const words = ['--module', module, '--moduleResolution', resolution, '--target', 'es2023', '--strict', '--noEmit']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', '--exactOptionalPropertyTypes']
  const compiler = [join(root, 'node_modules/typescript/bin/tsc'), ...words, ...types, 'program.ts']
  const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The program does not compile with ${resolution}:\n${stdout}`)
}
