import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canBuild, openBuilder } from './container/builder.mjs'
import { runSteps } from './container/steps.mjs'
import { ensureInstalled } from './install.mjs'
import { pack } from './packages/pack.mjs'

ensureInstalled()
process.exitCode = canBuild() ? await container() : await steps()

/** Runs the steps of the Containerfile in a directory. @returns the exit code */
async function steps() {
  say('podman, buildah and runc are needed, and root: no image is built, its steps run in a directory')
  const scratch = mkdtempSync(join(tmpdir(), 'taskwright-container-'))
  try {
    const { health, code } = await runSteps(scratch, String(await freePort()))
    expect(health === 0, `its check finds it healthy: ${health}`)
    expect(code === 0, `SIGTERM ends it in order: ${code}`)
    say('The steps of the Containerfile made a program that served, was healthy, and ended in order')
    return 0
  } catch (error) {
    say(error.message)
    return 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Builds the package's image, and runs a container as the install page describes. @returns the exit code */
async function container() {
  const scratch = mkdtempSync(join(tmpdir(), 'taskwright-container-'))
  chmodSync(scratch, 0o755)
  const builder = openBuilder(scratch)
  try {
    const context = join(scratch, 'context')
    mkdirSync(join(context, 'packed'), { recursive: true })
    pack(join(context, 'packed'))
    builder.build(context)
    const [{ Config: image, RootFS: files, Healthcheck: health }] = JSON.parse(
      builder.podman('inspect', 'localhost/taskwright'),
    )
    expect(files.Layers.length <= 3, `three layers at most: ${files.Layers.length}`)
    expect(image.User === '1000:1000', `an ordinary user: ${image.User}`)
    expect(Object.keys(image.Volumes).join() === '/data', 'one volume, /data')
    say(`Built an image of ${files.Layers.length} layers, that of Node among them`)

    const data = join(scratch, 'data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, 1000, 1000)
    const base = `http://127.0.0.1:${await freePort()}`
    const port = new URL(base).port
    for (const name of ['first', 'second']) await serveOnce(builder, { name, data, port, base, health })
    return 0
  } catch (error) {
    say(error.stderr?.toString() ?? error.message)
    return 1
  } finally {
    builder.close()
  }
}

async function serveOnce(builder, { name, data, port, base, health }) {
  const process = builder.serve(name, data, port)
  let said = ''
  for (const stream of [process.stdout, process.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  const ended = once(process, 'exit')
  const listens = new Promise((resolve) => {
    process.stdout.on('data', () => said.includes('listening on') && resolve(true))
  })
  expect(await Promise.race([listens, ended.then(() => false)]), `the container does not serve:\n${said}`)
  const [, ...check] = health.Test
  builder.podman('exec', name, ...check)
  const key = builder.podman('exec', name, 'taskwright', 'key', 'create').split('\n').at(-1)
  const { status } = await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  expect(status === 200, `a key that was made in the container opens: ${status}`)
  const { status: shown } = await fetch(`${base}/console/`)
  expect(shown === 200, `the console is served: ${shown}`)
  expect(
    fails(() => builder.podman('exec', name, 'mkdir', '/opt/taskwright/x')),
    'nothing but /data can be written',
  )

  builder.podman('kill', '--signal', 'TERM', name)
  const [code] = await ended
  expect(code === 0 && /Stopping \(SIGTERM\)/.test(said), `SIGTERM ends it in order: ${code}\n${said}`)
  const unwanted = execFileSync('find', [data, '-name', 'postmaster.pid'], { encoding: 'utf8' })
  expect(unwanted === '', 'its PostgreSQL is stopped')
  say(`The ${name} container served, was healthy, made a key, could not write into itself, and ended in order`)
}

function fails(work) {
  try {
    work()
    return false
  } catch {
    return true
  }
}

function expect(holds, what) {
  if (!holds) throw new Error(`This does not hold: ${what}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
