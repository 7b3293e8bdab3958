import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pack, root } from '../packages/pack.mjs'

/**
 * Runs the Containerfile's steps, health check and program in a directory instead of an image, for machines that cannot build
 * images.
 * @returns the exit code of the check (0: healthy), and that of the program after SIGTERM
 */
export async function runSteps(scratch, port) {
  const file = readFileSync(join(root, 'ops/container/Containerfile'), 'utf8').replaceAll('\\\n', ' ')
  const one = (instruction) => {
    const [line, ...others] = [...file.matchAll(new RegExp(`^\\s*${instruction} (.*)$`, 'gm'))]
    if (line === undefined || others.length > 0) throw new Error(`The Containerfile has not one ${instruction}`)
    return line[1]
  }
  const settings = Object.fromEntries([...one('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
  const inside = (text) => text.replaceAll(/(?<![\w/.])\/(opt\/taskwright|tmp|data)\b/g, `${scratch}/$1`)
  for (const folder of ['tmp', 'opt']) mkdirSync(join(scratch, folder))
  pack(join(scratch, 'tmp'))
  execFileSync('sh', ['-c', inside(one('RUN'))], { stdio: ['ignore', 'ignore', 'inherit'] })
  const path = `${join(scratch, 'opt/taskwright/bin')}${delimiter}${process.env.PATH}`
  const env = {
    ...process.env,
    ...settings,
    DATA_DIR: inside(settings.DATA_DIR),
    HOST: '127.0.0.1',
    PORT: port,
    PATH: path,
  }
  const [program, ...words] = [...JSON.parse(one('ENTRYPOINT')), ...JSON.parse(one('CMD'))]
  const running = spawn(program, words, { env, cwd: inside(one('WORKDIR')), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(running, 'exit')
  running.stdout.setEncoding('utf8')
  for await (const text of running.stdout) if (text.includes('listening on')) break
  const [check, ...arguments_] = JSON.parse(/CMD (\[.*\])/.exec(one('HEALTHCHECK'))[1])
  const { status: health } = spawnSync(check, arguments_, { env })
  running.kill('SIGTERM')
  const [code] = await ended
  return { health, code }
}
