import { onAbort } from '../abort.ts'
import { reasonOf } from '../attempt.ts'
import { ConnectionError } from '../errors.ts'

/** The text between two empty lines of a stream. */
interface Message {
  id?: string
  data?: string
  retryMs?: number
  /** the server ends the stream after it */
  isLast?: boolean
}

interface Watch {
  signal?: AbortSignal | undefined
  /** the time without a byte after which the stream counts as broken */
  silentAfterMs: number
}

/**
 * The messages of a stream, until it ends or is aborted. Skips an incomplete message. Node reports a broken connection as an end,
 * so only the last comment of the server tells them apart.
 * @throws ConnectionError if it breaks or sends nothing for too long
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  { signal, silentAfterMs }: Watch,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const take = interpreter()
  // a broken response cannot be cancelled
  const stop = () => void reader.cancel().catch(() => {})
  const forget = signal && onAbort(signal, stop)
  let ended = false
  try {
    while (!signal?.aborted) {
      const { value, done } = await heard(reader.read(), silentAfterMs)
      if (done && ended) return
      if (done) throw new ConnectionError('The stream broke: the connection was closed')
      for (const message of take(decoder.decode(value, { stream: true }))) {
        if (message.isLast) ended = true
        else yield message
      }
    }
  } finally {
    forget?.()
    stop()
  }
}

async function heard<T>(reading: Promise<T>, silentAfterMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ConnectionError(`The stream sent nothing for ${silentAfterMs} ms`)),
      silentAfterMs,
    )
  })
  try {
    return await Promise.race([reading, silence])
  } catch (cause) {
    throw cause instanceof ConnectionError
      ? cause
      : new ConnectionError(`The stream broke: ${reasonOf(cause)}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Parses chunks of a stream, which can end anywhere. */
function interpreter() {
  let rest = ''
  let message: Message = {}
  return function* (text: string) {
    // a carriage return at the end may be the first half of a line break
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        yield message
        message = {}
      }
      const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
      if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
      else if (name === 'id') message.id = value
      else if (name === 'retry' && /^\d+$/.test(value)) message.retryMs = Number(value)
      else if (line === ':end') message.isLast = true
    }
  }
}
