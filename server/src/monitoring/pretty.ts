const codes = { gray: 90, red: 31, green: 32, yellow: 33 }
type Color = keyof typeof codes

const levels: Record<number, [name: string, color: Color]> = {
  10: ['trace', 'gray'],
  20: ['debug', 'gray'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}

/** Formats a line of the log for a person: time, level and sentence, then all other fields. */
export function prettyLine(line: string): string {
  const { level, time, msg, method, route, status, ms, err, ...others } = JSON.parse(line)
  const [name, color] = levels[level] ?? [String(level), 'gray']
  const request = method === undefined ? [] : [`${method} ${route ?? '(unknown path)'}`]
  const answer = status === undefined ? [] : [painted(colorOf(status), String(status))]
  const took = ms === undefined ? [] : [`${ms} ms`]
  const sentence = method !== undefined && msg === 'answered' ? [] : [msg]
  const details = Object.entries(others).map(([key, value]) => `${key}=${shown(value)}`)
  const said = [...answer, ...request, ...took, ...sentence].filter((part) => part !== undefined).join('  ')
  const head = `${painted('gray', timeOfDay(time))} ${painted(color, name.padEnd(5))} ${said}`
  const tail = details.length === 0 ? '' : `  ${painted('gray', details.join(' '))}`
  return `${head}${tail}\n${err === undefined ? '' : errorLines(err)}`
}

const painted = (color: Color, text: string) => (isPainting() ? `\x1b[${codes[color]}m${text}\x1b[39m` : text)
const isPainting = () => process.stderr.isTTY === true && process.stderr.hasColors()

const colorOf = (status: number): Color => (status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green')

// in the local time of the reader
const timeOfDay = (time: number | string) => new Date(time).toTimeString().slice(0, 8)

// escape values: a control character would act on the terminal
const shown = (value: unknown) =>
  typeof value === 'string' && /^[!-~]+$/.test(value) ? value : harmless(JSON.stringify(value) ?? '')
const harmless = (text: string) => text.replace(/[^\P{Cc}\n]/gu, '?')

function errorLines(error: { message?: string; stack?: string }): string {
  return `${harmless(error.stack ?? error.message ?? JSON.stringify(error)).replace(/^/gm, '    ')}\n`
}
