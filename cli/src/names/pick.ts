import { foldName } from '../client.ts'
import { WrongUse } from '../problems.ts'

/** A resource with its names. */
export interface NamedItem {
  id: string
  name: string
  key?: string
  email?: string
  /** for a stage, the name of its workspace */
  within?: string
  workspaceId?: string | null
  projectId?: string | null
  /** in the response of /me */
  member?: NamedItem
  /** in the response of /me */
  organization?: { timezone: string }
}

/**
 * The candidate with this key or e-mail address, else with this whole name, ignoring case and accents.
 * @throws WrongUse with the candidates if none or several match
 */
export function pick(noun: string, text: string, candidates: readonly NamedItem[]): NamedItem {
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

/** A name in the form for comparison, without case and accents. */
export const folded = (text: string) => foldName(text).replace(/\s+/g, ' ').trim()

const mostShown = 10

function listed(some: readonly NamedItem[]): string {
  const lines = some.slice(0, mostShown).map(({ id, key, name, email, within }) => {
    const beside = [key, email, within && `in ${within}`].filter(Boolean).join(', ')
    return `  ${id}  ${name}${beside ? ` (${beside})` : ''}`
  })
  return [...lines, ...(some.length > mostShown ? [`  and ${some.length - mostShown} more`] : [])].join('\n')
}
