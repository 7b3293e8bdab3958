import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect } from 'node:http2'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { afterwards, type Scope } from '../afterwards.ts'
import { certificate } from '../certificate.ts'
import { inTime } from '../until.ts'
import { linesOf } from './processes.ts'

const files = new URL('../../../../ops/proxy/', import.meta.url)

/** The host of the certificate. */
export const proxiedHost = 'receiver.example'

/** Which programs the tests know, and how each is started on its configuration for operators. */
export const proxies = {
  nginx: { program: '/usr/sbin/nginx', start: nginx, site: nginxSite },
  caddy: { program: '/usr/bin/caddy', start: caddy, site: caddySite },
}

/**
 * A proxy with TLS before servers, as its file for operators has it but for ports and certificate; undefined, and the test is
 * skipped, where its program is missing.
 */
export async function openProxy(t: TestContext, name: ProxyName, servers: readonly number[]) {
  if (!existsSync(proxies[name].program)) {
    t.skip(`${proxies[name].program} is missing`)
    return undefined
  }
  const [port, plain] = [await freePort(), await freePort()]
  await run(t, name, port, (folder) => proxies[name].start(folder, { port, plain, servers }))
  const open = () => http2(t, port)
  return { open, port, plain }
}

/**
 * A site without TLS that has a server below `/tasks`, as its file for operators has it, and nothing else; undefined where the
 * program is missing. @returns where that is
 */
export async function openSite(t: Scope, name: ProxyName, server: number): Promise<string | undefined> {
  const { program, site } = proxies[name]
  if (!existsSync(program)) return undefined
  const port = await freePort()
  await run(t, name, port, (folder) => site(folder, port, server))
  return `http://127.0.0.1:${port}/tasks`
}

type ProxyName = keyof typeof proxies

/** Runs a program until the scope ends. @param configure writes its files into a folder, and returns the words that it is started with */
async function run(t: Scope, name: ProxyName, port: number, configure: (folder: string) => Promise<string[]>) {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-proxy-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'certificate'), certificate.cert)
  await writeFile(join(folder, 'key'), certificate.key)
  const child = spawn(proxies[name].program, await configure(folder), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  afterwards(t, async () => {
    child.kill('SIGQUIT')
    await Promise.race([ended, wait(3_000, undefined, { ref: false })])
    child.kill('SIGKILL')
    await ended
  })
  const said = [linesOf(child.stdout), linesOf(child.stderr)]
  await inTime(
    Promise.race([
      untilListening(port),
      ended.then(() => Promise.reject(new Error(said.flatMap(({ all }) => all).join('\n')))),
    ]),
    `${name} does not listen`,
  )
}

interface Places {
  port: number
  plain: number
  servers: readonly number[]
}

async function nginx(folder: string, { port, plain, servers }: Places): Promise<string[]> {
  const upstream = servers.map((server) => `server 127.0.0.1:${server} max_fails=1 fail_timeout=1s;`)
  const site = replaced(await readFile(new URL('nginx.conf', files), 'utf8'), [
    [/server 127\.0\.0\.1:3000 .*;/, upstream.join('\n')],
    [/listen \[::\]:.*;\n/g, ''],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    [/work\.example\.com;/g, `${proxiedHost};`],
    [/ssl_certificate .*;/, `ssl_certificate ${folder}/certificate;`],
    [/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key;`],
  ])
  return nginxOf(folder, site)
}

async function nginxSite(folder: string, port: number, server: number): Promise<string[]> {
  const below = await belowAPath('nginx-below-a-path.conf', server)
  return nginxOf(folder, `server { listen 127.0.0.1:${port};\n${below}\n}`)
}

/** Writes the file of an nginx with a site. @returns the words that it is started with */
async function nginxOf(folder: string, site: string): Promise<string[]> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const whole = [
    ...(process.geteuid?.() === 0 ? ['user root;'] : []),
    `daemon off; error_log ${folder}/log; pid ${folder}/pid; events {}`,
    `http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}`,
    site,
    '}',
  ]
  await writeFile(join(folder, 'nginx.conf'), whole.join('\n'))
  return ['-p', folder, '-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')]
}

async function caddy(folder: string, { port, plain, servers }: Places): Promise<string[]> {
  const site = replaced(await readFile(new URL('Caddyfile', files), 'utf8'), [
    [/^work\.example\.com \{$/m, `https://${proxiedHost}:${port} {\n\ttls ${folder}/certificate ${folder}/key`],
    [
      /^\treverse_proxy 127\.0\.0\.1:3000 \{$/m,
      `\treverse_proxy ${servers.map((server) => `127.0.0.1:${server}`).join(' ')} {`,
    ],
  ])
  return caddyOf(folder, `http_port ${plain}\n\thttps_port ${port}`, site)
}

async function caddySite(folder: string, port: number, server: number): Promise<string[]> {
  const below = await belowAPath('Caddyfile-below-a-path', server)
  return caddyOf(folder, 'auto_https off', `http://127.0.0.1:${port} {\n${below}\n}\n`)
}

/** Writes the file of a Caddy with a site. @returns the words that it is started with */
async function caddyOf(folder: string, options: string, site: string): Promise<string[]> {
  await mkdir(join(folder, 'caddy'), { recursive: true })
  const general = `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\t${options}\n}\n`
  await writeFile(join(folder, 'Caddyfile'), general + site)
  return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
}

/** The file for operators that puts a server below a path. */
const belowAPath = async (name: string, server: number) =>
  replaced(await readFile(new URL(name, files), 'utf8'), [['127.0.0.1:3000', `127.0.0.1:${server}`]])

/** @throws when the file has nothing of that kind any more */
function replaced(text: string, changes: [string | RegExp, string][]): string {
  return changes.reduce((before, [from, to]) => {
    const after = before.replace(from, () => to)
    if (after === before) throw new Error(`There is no ${from} in the file for operators`)
    return after
  }, text)
}

/** A connection to the proxy as browsers have it, of which each answer is whole. */
async function http2(t: TestContext, port: number) {
  const session: ClientHttp2Session = connect(`https://${proxiedHost}:${port}`, {
    ca: certificate.cert,
    lookup: (_host, options, found) =>
      options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4),
  })
  await once(session, 'connect')
  afterwards(t, async () => session.destroy())
  return { session, protocol: session.alpnProtocol, ask }

  async function ask(path: string, headers: Record<string, string> = {}, body?: string | Buffer) {
    const stream = session.request({ ':path': path, ':method': body === undefined ? 'GET' : 'POST', ...headers })
    // a refusal may come before all is sent
    stream.on('error', () => {})
    stream.end(body)
    const [answer] = await once(stream, 'response')
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return { status: Number(answer[':status']), headers: answer as Record<string, string>, text }
  }
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connectTo(port, '127.0.0.1')
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (open) return
    await wait(20)
  }
}

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
