import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterwards, type Scope } from './afterwards.ts'
import { databaseUrl } from './world.ts'

/**
 * What becomes of a command: it is lost and answered as if it had been done, it is refused, or it is done and the
 * connection breaks before its answer; undefined: it is passed on.
 * @param text the command, such as `begin`
 * @param asked the statements with their values that its connection was asked since its last `begin`
 */
export type Rule = (text: string, asked: string) => 'lose' | 'refuse' | 'cut' | undefined

/**
 * A proxy between the server and its database that speaks PostgreSQL's protocol, and does not pass everything on. Statements
 * with parameters are always passed on.
 * @see PostgreSQL, "Frontend/Backend Protocol"
 */
export async function goBetween(t: Scope, to = databaseUrl) {
  const lines = new Set<Socket>()
  const seen = { trips: 0, statements: 0, lost: 0, parsed: [] as string[] }
  let rule: Rule = () => undefined
  let rewritten = (bytes: Buffer) => bytes
  const server = createServer((near) => {
    const { host, port } = new pg.Client({ connectionString: to })
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const end of [near, far]) {
      lines.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        for (const either of [near, far]) lines.delete(either.destroy())
      })
    }
    between(near, far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(t, async () => {
    for (const line of lines) line.destroy()
    server.close()
  })
  const url = new URL(to)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url.searchParams.delete('host')
  return {
    url: url.href,
    seen,
    /** From now on commands are treated so. */
    interfere(wanted: Rule) {
      rule = wanted
    },
    /** From now on what the server sends is changed so; its length must stay. */
    rewrite(change: (bytes: Buffer) => Buffer) {
      rewritten = change
    },
    /** Breaks what is connected. */
    cut() {
      for (const line of lines) line.destroy()
    },
  }

  function between(near: Socket, far: Socket) {
    // one entry for each answer that the server waits for: what is said in place of the database, where it is cut
    const expected: (Buffer | 'cut' | undefined)[] = []
    let started = false
    let asks = false
    let asked = ''
    const fromNear = messages(() => started)
    const fromFar = messages(() => true)
    near.on('data', (chunk) => {
      if (!asks) seen.trips++
      asks = true
      for (const message of fromNear(rewritten(chunk))) {
        if (started && (message[0] === query || message[0] === execute)) seen.statements++
        if (started && message[0] === parse) seen.parsed.push(message.toString('utf8', 5).split('\0')[1] ?? '')
        const command = started && message[0] === query ? message.toString('utf8', 5, message.length - 1) : ''
        started = true
        if (command.startsWith('begin')) asked = ''
        if (message[0] === parse || message[0] === bind) asked += message.toString()
        const fate = command === '' ? undefined : rule(command, asked)
        if (fate) seen.lost++
        if (fate === undefined || fate === 'cut') far.write(message)
        if (message[0] === query || message[0] === sync)
          expected.push(fate === undefined || fate === 'cut' ? fate : pretended(command, fate))
      }
      pretend()
    })
    far.on('data', (chunk) => {
      asks = false
      for (const message of fromFar(chunk)) {
        if (expected[0] === 'cut') return void near.destroy()
        near.write(message)
        if (message[0] !== readyForQuery) continue
        expected.shift()
        pretend()
      }
    })
    // the answer to the start is the first that ends
    expected.push(undefined)

    function pretend() {
      for (let said = expected[0]; said instanceof Buffer; said = expected[0]) {
        near.write(said)
        expected.shift()
      }
    }
  }
}

const [query, parse, bind, execute, sync, readyForQuery] = ['Q', 'P', 'B', 'E', 'S', 'Z'].map((letter) =>
  letter.charCodeAt(0),
)

/** Cuts a stream into messages: a letter, a length, what it says. The first one of a connection has no letter. */
function messages(haveLetters: () => boolean) {
  let rest = Buffer.alloc(0)
  return function* (chunk: Buffer) {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const letter = haveLetters() ? 1 : 0
      if (rest.length < letter + 4) return
      const length = letter + rest.readInt32BE(letter)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      yield message
    }
  }
}

/** What a database would say, of one that sees nothing wrong in it. */
function pretended(command: string, fate: 'lose' | 'refuse'): Buffer {
  const tag = (/^\w+/.exec(command)?.[0] ?? '').toUpperCase()
  const refusal = 'SERROR\0VERROR\0C57014\0Mcanceling statement due to user request\0\0'
  const said = fate === 'lose' ? message('C', `${tag}\0`) : message('E', refusal)
  return Buffer.concat([said, message('Z', 'T')])
}

function message(letter: string, said: string): Buffer {
  const head = Buffer.alloc(5, letter)
  head.writeInt32BE(4 + Buffer.byteLength(said), 1)
  return Buffer.concat([head, Buffer.from(said)])
}
