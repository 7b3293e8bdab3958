import type { Operation, Parameter } from './operation.ts'
import { kebab } from './words.ts'

/** What a parameter is given by: the flag that help shows, and what is also taken. */
interface Flag {
  name: string
  others: readonly string[]
  parameter: Parameter
}

/** What stands behind the verb of an operation without a flag, by its name, besides the ids of its path. */
const namedFirst: Record<string, string> = { 'timer.start': 'taskId', search: 'q' }

/** Short words for what is asked for most. */
const shortNames: Record<string, string> = {
  startedAfter: 'from',
  startedBefore: 'to',
  memberId: 'member',
  'timer.stop.endedAt': 'at',
}

/** What is given without a flag, in order: the ids of the path, and of some operations what they are about. */
export function positionalsOf({ name, parameters }: Operation): readonly Parameter[] {
  return parameters.filter((one) => one.in === 'path' || one.name === namedFirst[name])
}

/** The flags of an operation. No two are called the same. */
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

/** `assigneeIds` is `--assignee`, `durationSeconds` is `--duration`; their whole names are taken as well. */
function shortOf(operation: Operation, { name, type }: Parameter): string[] {
  const alias = shortNames[name] ?? shortNames[`${operation.name}.${name}`]
  const bare =
    type === 'id' && /(?<=.)Ids?$/.test(name) ? name.replace(/Ids?$/, '') : name.replace(/(?<=.)Seconds$/, '')
  return [...new Set([...(alias ? [alias] : []), ...(bare === name ? [] : [kebab(bare)])])]
}
