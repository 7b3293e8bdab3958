import type { Operation, Parameter } from './operation.ts'
import { kebab } from './words.ts'

/** The flag of a parameter: the name in help, and other accepted names. */
interface Flag {
  name: string
  others: readonly string[]
  parameter: Parameter
}

/** Parameters, besides path ids, that need no flag, by operation. */
const namedFirst: Record<string, string> = { 'timer.start': 'taskId', search: 'q' }

/** Short names of common parameters. */
const shortNames: Record<string, string> = {
  startedAfter: 'from',
  startedBefore: 'to',
  memberId: 'member',
  'timer.stop.endedAt': 'at',
}

/** The positional parameters in order: path ids, and the main parameter of some operations. */
export function positionalsOf({ name, parameters }: Operation): readonly Parameter[] {
  return parameters.filter((one) => one.in === 'path' || one.name === namedFirst[name])
}

/** The flags of an operation. Their names are unique. */
export function flagsOf(operation: Operation): Flag[] {
  const given = operation.parameters.filter((one) => one.in !== 'path')
  const whole = new Set(given.map(({ name }) => kebab(name)))
  const taken = new Set<string>()
  return given.map((parameter) => {
    const full = kebab(parameter.name)
    const short = shortOf(operation, parameter).filter((name) => !whole.has(name) && !taken.has(name))
    for (const name of short) taken.add(name)
    const [name = full, ...others] = short
    return { name, others: name === full ? others : [...others, full], parameter }
  })
}

/** `assigneeIds` is `--assignee`, `durationSeconds` is `--duration`; the full names also work. */
function shortOf(operation: Operation, { name, type }: Parameter): string[] {
  const alias = shortNames[name] ?? shortNames[`${operation.name}.${name}`]
  const bare =
    type === 'id' && /(?<=.)Ids?$/.test(name) ? name.replace(/Ids?$/, '') : name.replace(/(?<=.)Seconds$/, '')
  return [...new Set([...(alias ? [alias] : []), ...(bare === name ? [] : [kebab(bare)])])]
}
