import { run } from '../../src/main.ts'
import type { Output, Terminal } from '../../src/terminal.ts'

/** What a command line came to. */
export interface Typed {
  code: number
  out: string
  err: string
}

/** Where it is typed. */
export interface Place {
  env?: Record<string, string>
  /** what comes by a pipe; absent: nothing */
  input?: string
  /** how wide the terminal is; absent: a pipe */
  columns?: number
  interrupted?: AbortSignal
  /** called with what is written on standard error */
  heard?: (text: string) => unknown
}

/** Runs command lines in this process, each as a process of its own would, with the key of one member. */
export const typingTo =
  (base: string, key: string) =>
  (line: string | readonly string[], place: Place = {}): Promise<Typed> =>
    type(line, { ...place, env: { TASKWRIGHT_URL: base, TASKWRIGHT_API_KEY: key, ...place.env } })

/** Runs a command line in this process with nothing but these settings. */
export async function type(line: string | readonly string[], place: Place = {}): Promise<Typed> {
  const { env = {}, input = '', columns, interrupted = new AbortController().signal } = place
  const [out, err] = [writtenTo(columns), writtenTo(columns, place.heard)]
  const terminal: Terminal = {
    env: { HOME: '/nowhere', ...env },
    ...{ out: out.output, err: err.output, interrupted },
    input: {
      isTerminal: false,
      text: async () => input,
      async *lines() {
        yield* input.split('\n')
      },
      ask: () => Promise.reject(new Error('Nobody is there to ask')),
    },
  }
  const code = await run(typeof line === 'string' ? wordsOf(line) : line, terminal)
  return { code, out: out.text(), err: err.text() }
}

function writtenTo(columns: number | undefined, heard: (text: string) => unknown = () => {}) {
  const written: string[] = []
  const output: Output = {
    write(text) {
      written.push(text)
      heard(text)
    },
    isTerminal: columns !== undefined,
    columns,
    drained: async () => {},
  }
  return { output, text: () => written.join('') }
}

/** The words of a line as a shell splits it; in quotes there may be spaces. */
const wordsOf = (line: string) =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
