import { foldName } from '../client.ts'
import { WrongUse } from '../problems.ts'

/** Something with what people call it. */
export interface Named {
  id: string
  name: string
  key?: string
  email?: string
  /** of a stage: the name of its workspace */
  within?: string
  workspaceId?: string | null
  projectId?: string | null
  /** of the answer of /me */
  member?: Named
  /** of the answer of /me */
  organization?: { timezone: string }
}

/**
 * The one that is called so: by its key or e-mail address, else by its whole name in any case and accents.
 * @throws WrongUse with the candidates where there is none, or more than one
 */
export function pick(noun: string, text: string, candidates: readonly Named[]): Named {
  const wanted = folded(text)
  const exact = candidates.filter(({ key, email }) => folded(key ?? '') === wanted || folded(email ?? '') === wanted)
  const called = exact.length > 0 ? exact : candidates.filter(({ name }) => folded(name) === wanted)
  const [only, ...more] = called
  if (only && more.length === 0) return only
  if (only)
    throw new WrongUse(`${called.length} ${noun}s are named '${text}'. Give the id of one of them:\n${listed(called)}`)
  const like = candidates.length > 0 ? ` Similar names:\n${listed(candidates)}` : ''
  throw new WrongUse(`There is no ${noun} '${text}' that you can see.${like}`)
}

/** A name as names are compared: in any case and accents. */
export const folded = (text: string) => foldName(text).replace(/\s+/g, ' ').trim()

const mostShown = 10

function listed(some: readonly Named[]): string {
  const lines = some.slice(0, mostShown).map(({ id, key, name, email, within }) => {
    const beside = [key, email, within && `in ${within}`].filter(Boolean).join(', ')
    return `  ${id}  ${name}${beside ? ` (${beside})` : ''}`
  })
  return [...lines, ...(some.length > mostShown ? [`  and ${some.length - mostShown} more`] : [])].join('\n')
}
