import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * Installs Schemathesis into a virtual environment.
 * @returns the path of the program
 * @throws with a sentence about the missing part
 */
export function installSchemathesis(venv, python) {
  const made = spawnSync(python, ['-m', 'venv', venv], { encoding: 'utf8' })
  if (made.status !== 0) {
    throw new Error(`Python 3.10 or newer with its module venv is needed, and ${python} is not that. ${said(made)}`)
  }
  const flags = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    join(folder, 'requirements.txt'),
  ]
  const installed = spawnSync(join(venv, 'bin', 'python'), flags, { encoding: 'utf8' })
  if (installed.status !== 0) throw new Error(`Schemathesis could not be installed with pip. ${said(installed)}`)
  return join(venv, 'bin', 'schemathesis')
}

const said = ({ error, stdout, stderr }) =>
  error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-3).join('\n')

/** Runs Schemathesis once with one key. @returns the number of failures */
export async function askOnce({ program, server, files, user, seed, maxExamples }) {
  const scratch = dirname(files.run)
  const report = join(scratch, 'report.json')
  const words = [
    ...['--config-file', join(folder, 'schemathesis.toml'), 'run', `${server.api}/openapi.json`],
    ...['--seed', String(seed), '--max-examples', maxExamples],
    ...['--report', 'json', '--report-json-path', report],
  ]
  const env = {
    ...process.env,
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    CONFORMANCE_AUTH: files.auth[user],
    CONFORMANCE_USER: user,
    CONFORMANCE_RUN: files.run,
  }
  const { status, output } = await ended(spawn(program, words, { cwd: scratch, env }))
  if (status === 0) return 0
  process.stdout.write(output)
  if (status !== 1) throw new Error(`Schemathesis ended with ${status}.`)
  const { test_cases: cases, errors } = JSON.parse(readFileSync(report, 'utf8'))
  return cases.unique_failures + errors.length || 1
}

function ended(child) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}
