/** What was looked up: names by their ids. */
export type Learned = ReadonlyMap<string, string>

/** The text of a cell. */
export const cellText = (row: Record<string, unknown>, column: string, learned: Learned) =>
  shown(column.split('.').at(-1) ?? column, named(column, cellIn(row, column), learned))

/** The value in a row under the name of a column, of a field within another one by their path. */
export const cellIn = (row: Record<string, unknown>, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], row)

/** With the names of what was looked up in place of ids, but for what something's own `id` is. */
export function named(name: string, value: unknown, learned: Learned): unknown {
  if (Array.isArray(value)) return value.map((one) => named(name, one, learned))
  return typeof value === 'string' && name !== 'id' ? (learned.get(value) ?? value) : value
}

/** What a value is shown as to people, in the column or field `name`; nothing for what is absent. */
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

/** A moment by the clock here, to the minute. */
export function localTime(moment: string): string {
  const at = new Date(moment)
  const two = (count: number) => String(count).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** `1h 30m`, `4h 59m 58s`: no second is lost, so that rows add up to their sum. */
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

/** What people call something: a task by its key and name, a project by its key. */
export function called(value: object): string {
  const { key, name, number } = value as { key?: unknown; name?: unknown; number?: unknown }
  if (typeof key === 'string' && typeof name === 'string' && number !== undefined) return `${key} ${name}`
  const [best] = [key, name].filter((one) => typeof one === 'string')
  return best ?? JSON.stringify(value)
}
