import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { normalized } from './passwords.ts'

const [shortest, longest] = [12, 256]
const neededScore = 3
// Only the beginning is judged. With these two bounds the worst passwords that we found take 45 ms; without, 2 s.
const judgedLength = 64
const mostSubstitutions = 10
const mostWords = 200

/**
 * Says why a password is too weak.
 * @param known names and addresses that an attacker knows: of the person, and of their organizations
 * @returns a sentence for people, or undefined
 * @see NIST SP 800-63B-4 §3.1.1.2: no rules of composition
 */
export async function weaknessOf(password: string, known: readonly string[]): Promise<string | undefined> {
  const text = normalized(password)
  const length = [...text].length
  if (length < shortest) return `Must have at least ${shortest} characters`
  if (length > longest) return `Must have at most ${longest} characters`
  estimator ??= openEstimator()
  const { score, feedback } = (await estimator).check(text, wordsOf(known))
  if (score >= neededScore) return undefined
  const hints = [feedback.warning, feedback.suggestions[0]].filter((hint) => hint !== null && hint !== undefined)
  return ['This password is easy to guess.', ...hints].join(' ')
}

let estimator: Promise<ZxcvbnFactory> | undefined

/** The dictionaries take 300 ms and 65 MB, so they are loaded for the first new password. */
async function openEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: judgedLength,
    l33tMaxSubstitutions: mostSubstitutions,
  })
}

/** Names and addresses, their parts and words, and the words without spaces: Ann Example, Ann, Example, AnnExample. */
function wordsOf(known: readonly string[]): string[] {
  const texts = ['Taskwright', ...known].map((text) => text.slice(0, 254).toLowerCase())
  const words = texts.flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2)
    return [text, ...text.split('@'), ...parts, parts.join('')]
  })
  return [...new Set(words)].slice(0, mostWords)
}
