import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterwards, type Scope } from '../afterwards.ts'
import { inTime } from '../until.ts'
import { databaseUrl } from '../world.ts'

/** A way to the database of this run that can fall silent, as when a cable is pulled: nothing arrives, nothing ends. */
export async function lineToDatabase(t: Scope, to = databaseUrl) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: to })
  const lines: [Socket, Socket][] = []
  const unheard: Buffer[] = []
  let muted = false
  const server = createServer((near) => {
    if (muted) return void lines.push([near, near])
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    near.pipe(far).pipe(near)
    for (const end of [near, far]) end.on('error', () => {})
    lines.push([near, far])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(t, async () => {
    for (const end of lines.flat()) end.destroy()
    server.close()
  })
  const address = server.address() as AddressInfo
  const near = (text: string | null | undefined) => encodeURIComponent(text ?? '')
  return {
    url: `postgres://${near(user)}${password ? `:${near(password)}` : ''}@127.0.0.1:${address.port}/${near(database)}`,
    connection: {
      host: '127.0.0.1',
      port: address.port,
      ...(user && { user }),
      ...(password && { password }),
      ...(database && { database }),
    },
    cut() {
      for (const [near, far] of lines) {
        near.unpipe(far).removeAllListeners('data')
        near.on('data', (chunk) => unheard.push(chunk)).resume()
      }
    },
    /** What was said since nobody hears it. */
    unheard: () => Buffer.concat(unheard).toString('latin1'),
    /** Breaks what is connected. */
    drop() {
      for (const end of lines.flat()) end.destroy()
    },
    /** Once it has taken so many connections. */
    async taken(count: number) {
      while (lines.length < count) await inTime(once(server, 'connection'), `${lines.length} were taken`)
    },
    /** From now on it takes connections, and nothing comes of them. */
    mute() {
      muted = true
    },
  }
}
