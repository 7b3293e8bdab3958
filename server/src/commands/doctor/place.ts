import { once } from 'node:events'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { secretKeyFileIn } from '../../db/embedded/secret-key.ts'
import { type CheckResult, ok, warning, wrong } from './finding.ts'
import { checkDisk } from './machine.ts'

/** Checks the data directory, its secret key file, and the free space of its disk. */
export async function checkPlace({ dataDir, databaseUrl, secretKey }: Config): Promise<CheckResult[]> {
  const place = resolve(dataDir)
  const disk = await roomAt(place)
  if (databaseUrl !== undefined) return [...(secretKey === undefined ? [withoutSecretKey] : []), disk]
  return [await checkDirectory(place), await checkSecretKeyFile(place, secretKey), disk]
}

const withoutSecretKey = warning(
  'secret key',
  'SECRET_KEY is not set, so webhooks cannot be created: set the same value on every server (openssl rand -base64 32)',
)

async function checkDirectory(place: string): Promise<CheckResult> {
  const there = await stat(place).catch(() => undefined)
  const nearest = there ? place : await nearestThere(place)
  const usable = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  const who = `user id ${process.geteuid?.()}`
  if (there && !there.isDirectory()) return wrong('data directory', `${place} is a file: give another DATA_DIR`)
  if (!usable) return wrong('data directory', `${who} cannot write in ${nearest}: change its owner, or DATA_DIR`)
  if (!there) return ok('data directory', `${place} is created by the first start`)
  const cluster = await stat(join(place, 'postgres')).catch(() => undefined)
  if (cluster && process.geteuid?.() !== 0 && cluster.uid !== process.geteuid?.())
    return wrong('data directory', `${place}/postgres belongs to user id ${cluster.uid}, and this is ${who}`)
  if (there.mode & 0o022) return wrong('data directory', `others may write in ${place}: chmod go-w ${place}`)
  if (cluster && cluster.mode & 0o077)
    return wrong('data directory', `others may look into ${place}/postgres: chmod 700 ${place}/postgres`)
  return ok('data directory', `${place} can be written by ${who}, and by no others`)
}

async function checkSecretKeyFile(place: string, secretKey: string | undefined): Promise<CheckResult> {
  if (secretKey !== undefined) return ok('secret key', 'SECRET_KEY is set')
  const file = secretKeyFileIn(place)
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return ok('secret key', `${file} is created by the next start`)
  if (found.mode & 0o077) return wrong('secret key', `others may read ${file}: chmod 600 ${file}`)
  return ok('secret key', `${file} can be read by its owner only. Keep a copy in another place`)
}

async function roomAt(place: string): Promise<CheckResult> {
  const { bavail, blocks, bsize } = await statfs(await nearestThere(place))
  return checkDisk(place, { free: bavail * bsize, all: blocks * bsize })
}

/** The path, or the nearest parent directory that exists. */
export async function nearestThere(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined)
  return there ? path : nearestThere(dirname(path))
}

/** Checks that a server can listen on the port, or already does. */
export async function checkPort({ host, port }: Config): Promise<CheckResult> {
  const server = createServer()
  const problem: NodeJS.ErrnoException | undefined = await once(server.listen({ host, port }), 'listening').then(
    () => undefined,
    (error) => error,
  )
  server.close()
  switch (problem?.code) {
    case undefined:
      return ok('port', `${host}, port ${port}: a server can listen there`)
    case 'EADDRINUSE':
      return (await isOurs(host, port))
        ? ok('port', `${host}, port ${port}: a Taskwright server listens there`)
        : wrong('port', `something else listens on port ${port}: stop it, or choose another PORT`)
    case 'EACCES':
      return wrong('port', `this account may not use port ${port}: choose another PORT, above 1023`)
    default:
      return wrong('port', `${host} cannot be listened on (${problem?.message}): is HOST an address of this machine?`)
  }
}

async function isOurs(host: string, port: number): Promise<boolean> {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  // our 401 for a missing key has a header that other servers do not send
  return fetch(`http://${local}:${port}/api/v1/me`, { signal: AbortSignal.timeout(5_000) })
    .then(({ status, headers }) => status === 401 && headers.has('x-error-code'))
    .catch(() => false)
}
