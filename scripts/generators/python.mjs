import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { need, run } from './tools.mjs'

export const generator = 'openapi-python-client==0.29.1'
const fileNamed = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Generates a Python client that lists all tasks.
 * @returns the names of the tasks, in list order
 * @throws Missing without Python 3.10 or PyPI; Error if the generator prints a warning
 */
export function everyTask({ document, scratch, base, key }) {
  mkdirSync(scratch)
  const venv = join(scratch, 'venv')
  need('it takes Python 3.10 with its module venv', 'python3', ['-m', 'venv', venv])
  const pip = ['install', '--quiet', '--disable-pip-version-check', generator]
  need('it could not be installed from PyPI', join(venv, 'bin/pip'), pip)
  const env = environmentOf(scratch)
  const words = ['generate', '--path', document, '--output-path', join(scratch, 'taskwright_client'), '--meta', 'none']
  run(join(venv, 'bin/openapi-python-client'), [...words, '--fail-on-warning'], { env })
  return JSON.parse(run(join(venv, 'bin/python'), [fileNamed('list_tasks.py'), base, key], { env }))
}

/** Runs a day's work with the generated client. @returns for each step whether it succeeded */
export function daysWork({ scratch, base, key }) {
  const words = [fileNamed('days_work.py'), base, key]
  return JSON.parse(run(join(scratch, 'venv/bin/python'), words, { env: environmentOf(scratch) }))
}

/** The result of a day's work without failures. */
export const goodDay = {
  'sent twice, made once': true,
  'time by task': [true, null],
  'moved to the subtask': [null, true],
  timer: [null, true],
  comment: 'Half of it is done',
  report: [true],
  both: [true, ['Exactly one of taskId and subtaskId is required']],
  nameless: { name: ['Must have at least 1 character'] },
  edited: [true, 'urgent'],
  late: [412, 'etag_mismatch', 'The resource changed since you read it; read it again'],
  'finalized twice': [412, 'subtask_finalized'],
}

function environmentOf(scratch) {
  const PATH = `${join(scratch, 'venv')}/bin:${process.env.PATH}`
  return { ...process.env, PATH, PYTHONPATH: scratch, PYTHONDONTWRITEBYTECODE: '1' }
}
