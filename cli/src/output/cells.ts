/** Looked-up names, by id. */
export type NamesById = ReadonlyMap<string, string>

/** The text of a cell. */
export const cellText = (row: Record<string, unknown>, column: string, learned: NamesById) =>
  shown(column.split('.').at(-1) ?? column, named(column, cellIn(row, column), learned))

/** The value of a column in a row; a nested field has a path. */
export const cellIn = (row: Record<string, unknown>, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], row)

/** Replaces ids by looked-up names, except a resource's own `id`. */
export function named(name: string, value: unknown, learned: NamesById): unknown {
  if (Array.isArray(value)) return value.map((one) => named(name, one, learned))
  return typeof value === 'string' && name !== 'id' ? (learned.get(value) ?? value) : value
}

/** A value as text, by the name of its column or field; empty for a missing value. */
export function shown(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return /seconds$/i.test(name) ? lengthOf(value) : String(value)
  if (typeof value === 'string') return isMoment.test(value) && isMomentName(name) ? localTime(value) : value
  if (Array.isArray(value)) return value.map((one) => shown(name, one)).join(', ')
  return name === 'changes' ? Object.keys(value).join(', ') : called(value)
}

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const isMomentName = (name: string) => /(At|Until)$/.test(name) || name === 'at'

/** A date-time in this machine's time zone, to the minute. */
export function localTime(moment: string): string {
  const at = new Date(moment)
  const two = (count: number) => String(count).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** `1h 30m`, `4h 59m 58s`: exact to the second, so that rows add up to their sum. */
function lengthOf(seconds: number): string {
  const whole = Math.abs(seconds)
  const parts = [
    [Math.floor(whole / 3_600), 'h'],
    [Math.floor((whole % 3_600) / 60), 'm'],
    [whole % 60, 's'],
  ] as const
  const text = parts.flatMap(([count, unit]) => (count === 0 ? [] : `${count}${unit}`)).join(' ') || '0s'
  return seconds < 0 ? `-${text}` : text
}

/** The usual name of a resource: a task by key and name, a project by key. */
export function called(value: object): string {
  const { key, name, number } = value as { key?: unknown; name?: unknown; number?: unknown }
  if (typeof key === 'string' && typeof name === 'string' && number !== undefined) return `${key} ${name}`
  const [best] = [key, name].filter((one) => typeof one === 'string')
  return best ?? JSON.stringify(value)
}
