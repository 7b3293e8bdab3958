import type { Given } from '../arguments/parse.ts'
import { uuid } from '../names/names.ts'
import { NameUnknown } from '../names/pick.ts'
import type { IdOf, Within } from '../names/within.ts'
import type { Kind, Parameter } from './operation.ts'
import { type Typed, withinOf } from './typed.ts'

/** The parts of a text that commas separate. */
export const splitAtCommas = (text: string) => text.split(',').map((part) => part.trim())

// names of workspaces are looked up within a project, names of stages within a workspace
const narrowing: Partial<Record<Kind, number>> = { workspace: 1, stage: 2 }

/**
 * Each name in a text of its own. A name can have a comma: a text that is the whole name of something stays whole, any other
 * text is split at its commas.
 */
export async function separateNames(typed: readonly Typed[], given: Given, idOf: IdOf): Promise<Typed[]> {
  const rank = ({ parameter: { of } }: Typed) => (of && narrowing[of]) ?? 0
  const separate: Typed[] = []
  for (const one of typed.toSorted((first, second) => rank(first) - rank(second))) {
    const { parameter, texts } = one
    if (!parameter.list || parameter.type !== 'id') {
      separate.push(one)
      continue
    }
    const within = withinOf(separate, given)
    const names = await Promise.all(texts.map((text) => namesIn(parameter, text, within, idOf)))
    separate.push({ ...one, texts: names.flat() })
  }
  return separate
}

/** No name is longer, and no list takes more to look for. */
const longestName = 255

async function namesIn({ of, words }: Parameter, text: string, within: Within, idOf: IdOf): Promise<string[]> {
  const parts = splitAtCommas(text)
  const isName = (part: string) => !uuid.test(part) && !words?.includes(part)
  const mayBeWhole = of !== undefined && of !== 'task' && text.length <= longestName && parts.some(isName)
  if (parts.length === 1 || !mayBeWhole) return parts
  try {
    return [await idOf(of, text, within)]
  } catch (error) {
    if (error instanceof NameUnknown) return parts
    throw error
  }
}
