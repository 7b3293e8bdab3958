import assert from 'node:assert/strict'
import { request } from 'node:http'
import { Event } from '../../src/resources/events/event.ts'

/** A server-sent event, as a client of the HTML standard makes it of the lines. */
export interface Told {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event by asserting it
  data: any
}

interface Options {
  query?: string
  headers?: Record<string, string>
}

/**
 * A reader of the stream of events that takes every line as the HTML standard says, and keeps what came.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function openStream(base: string, key: string, { query = '', headers = {} }: Options = {}) {
  const seen = { events: [] as Told[], comments: 0, text: '', lastEventId: '', retryMs: 0, over: false }
  const watchers = new Set<() => void>()
  const wake = () => {
    for (const watcher of [...watchers]) watcher()
  }
  const asked = request(`${base}/api/v1/events${query}`, {
    agent: false,
    headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), accept: 'text/event-stream', ...headers },
  })
  asked.end()
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve)
    asked.on('error', reject)
  })
  const interpret = interpreter(seen)
  answer.setEncoding('utf8')
  answer.on('data', (text: string) => {
    seen.text += text
    if (answer.statusCode === 200) interpret(text)
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    answer.on('error', () => {})
    answer.on('close', () => {
      seen.over = true
      resolve()
      wake()
    })
  })
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const held = holds()
        if (!held && !seen.over) return
        watchers.delete(look)
        clearTimeout(tooLate)
        if (held) resolve()
        else reject(new Error(`The stream ended before that: ${seen.text.slice(-500)}`))
      }
      // a test that waits for ever tells nobody why
      const tooLate = setTimeout(() => {
        watchers.delete(look)
        reject(new Error(`The stream does not come to that: ${seen.text.slice(-500)}`))
      }, 30_000)
      watchers.add(look)
      look()
    })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    seen,
    /** Resolves once it is over, whoever ended it. */
    ended: () => until(() => seen.over),
    until,
    /** Resolves once so many events came, with all that came. */
    async events(count: number): Promise<Told[]> {
      await until(() => seen.events.length >= count)
      return seen.events
    },
    /** Resolves once this has come. */
    async event(matches: (told: Told) => boolean): Promise<Told> {
      await until(() => seen.events.some(matches))
      return seen.events.find(matches) ?? assert.fail()
    },
    stopReading: () => void answer.pause(),
    resumeReading: () => void answer.resume(),
    close(): Promise<void> {
      asked.destroy()
      return ended
    },
  }
}

export type Reader = Awaited<ReturnType<typeof openStream>>

/** Takes pieces of a stream, which may end anywhere. */
function interpreter(seen: Pick<Reader['seen'], 'events' | 'comments' | 'lastEventId' | 'retryMs'>) {
  let rest = ''
  let [data, type, id] = ['', '', '']
  return (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      assert.ok(!line.includes('\r'))
      if (line === '') dispatch()
      else if (line.startsWith(':')) seen.comments++
      else field(line)
    }
  }

  function field(line: string) {
    const [name, value = ''] = line.split(/: ?(.*)/s)
    if (name === 'data') data += `${value}\n`
    else if (name === 'event') type = value
    else if (name === 'id') id = value.includes('\0') ? id : value
    else if (name === 'retry') seen.retryMs = /^[0-9]+$/.test(value) ? Number(value) : seen.retryMs
    else assert.fail(`a field of no known name: ${line}`)
  }

  function dispatch() {
    seen.lastEventId = id
    if (data !== '') seen.events.push({ id, type: type || 'message', data: Event.parse(JSON.parse(data.slice(0, -1))) })
    ;[data, type] = ['', '']
  }
}
