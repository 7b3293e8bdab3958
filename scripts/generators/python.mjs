import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { need, run } from './tools.mjs'

export const generator = 'openapi-python-client==0.29.1'
const program = fileURLToPath(new URL('list_tasks.py', import.meta.url))

/**
 * Makes a client in Python, and lets it list all tasks.
 * @returns the names of the tasks, in the order of the list
 * @throws Missing without Python 3.10 or PyPI; Error where the generator warns of anything
 */
export function everyTask({ document, scratch, base, key }) {
  mkdirSync(scratch)
  const venv = join(scratch, 'venv')
  need('it takes Python 3.10 with its module venv', 'python3', ['-m', 'venv', venv])
  const pip = ['install', '--quiet', '--disable-pip-version-check', generator]
  need('it could not be installed from PyPI', join(venv, 'bin/pip'), pip)
  const PATH = `${venv}/bin:${process.env.PATH}`
  const env = { ...process.env, PATH, PYTHONPATH: scratch, PYTHONDONTWRITEBYTECODE: '1' }
  const words = ['generate', '--path', document, '--output-path', join(scratch, 'taskwright_client'), '--meta', 'none']
  run(join(venv, 'bin/openapi-python-client'), [...words, '--fail-on-warning'], { env })
  return JSON.parse(run(join(venv, 'bin/python'), [program, base, key], { env }))
}
