import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pack.mjs'

const program = `import { Taskwright } from '@taskwright/client'

const tw = new Taskwright({ baseUrl: process.argv[2] ?? '', apiKey: process.argv[3] ?? '' })

const project = await tw.projects.create({ name: 'Web site' })
for (const name of ['Paint the fence', 'Mow the lawn', 'Sweep the yard']) await tw.tasks.create({ projectId: project.id, name })

const names = []
for await (const task of tw.tasks.list({ projectId: project.id, limit: 2 })) names.push(task.name)
console.log(names.join(', '))
`

/** Runs a program of ten lines with the client, as it is. @returns what it prints */
export function runProgram(project, { base, key }) {
  writeFileSync(join(project, 'program.js'), program)
  const { stdout, stderr } = spawnSync(process.execPath, ['program.js', base, key], { cwd: project, encoding: 'utf8' })
  if (stdout !== 'Sweep the yard, Mow the lawn, Paint the fence\n')
    throw new Error(`The program printed:\n${stdout}${stderr}`)
  return stdout.trim()
}

/** Compiles the same program, with the strictest settings and the libraries' types checked. @throws with what the compiler says */
export function compile(project, resolution) {
  writeFileSync(join(project, 'program.ts'), program)
  const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
  const words = ['--module', module, '--moduleResolution', resolution, '--target', 'es2023', '--strict', '--noEmit']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', '--exactOptionalPropertyTypes']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...words, ...types, 'program.ts'], {
    cwd: project,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The program does not compile with ${resolution}:\n${stdout}`)
}
