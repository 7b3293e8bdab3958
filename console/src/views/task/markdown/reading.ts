import { Marked, type Token } from 'marked'

// whoever nests deeper does it to see what happens
const deepest = 24
const nesting = new RegExp(`^[ \\t]*(?:(?:[>*+-]|\\d{1,9}[.)])[ \\t]*){${deepest},}|^[ \\t]{${4 * deepest},}`, 'm')

// a row has as many cells as the head of its table, also where they are not written
const mostCells = 10_000

// some ten times what a text takes that means no harm
const baseMs = 100
const msPerCharacter = 1 / 100
// characters that were gone through; before that it is the machine that is slow
const leastGone = 300_000

/**
 * What a text says as Markdown. Undefined of one that nests too deeply, has too many cells, or takes too long to be read, as the
 * patterns of the lexer can be made to: it would hold up the page of everybody who looks at it.
 */
export function readMarkdown(text: string): readonly Token[] | undefined {
  if (nesting.test(text)) return undefined
  try {
    const tokens = bounded(baseMs + text.length * msPerCharacter).lexer(text)
    return isDeeper(tokens, deepest) ? undefined : tokens
  } catch {
    return undefined
  }
}

/** A lexer that gives up. */
function bounded(forMs: number): Marked {
  const end = performance.now() + forMs
  let [gone, cells] = [0, 0]
  const go = (rest: string) => {
    gone += rest.length
    if (gone > leastGone && performance.now() > end) throw new Error('It takes too long')
    // what marked has at this place finds the token
    return false as const
  }
  return new Marked({
    ...{ gfm: true, breaks: true },
    tokenizer: {
      // each step in blocks begins with one, each in a line with the other
      space: go,
      escape: go,
      table(rest) {
        cells += cellsOf(rest)
        if (cells > mostCells) throw new Error('It has too many cells')
        return false
      },
    },
  })
}

/** How many cells a table at the beginning of a text would have at most. */
function cellsOf(text: string): number {
  const [, columns = ''] = /^[^\n]*\n([ \t|:-]*-[ \t|:-]*)(?:\n|$)/.exec(text) ?? []
  if (columns === '') return 0
  const end = text.search(/\n[ \t]*\n/)
  return columns.split('|').length * (end < 0 ? text : text.slice(0, end)).split('\n').length
}

const isDeeper = (tokens: readonly Token[], than: number): boolean =>
  than < 0 || tokens.some((token) => isDeeper(within(token), than - 1))

function within(token: Token): readonly Token[] {
  if (token.type === 'list') return token.items
  if (token.type === 'table') return [token.header, ...token.rows].flat()
  return ('tokens' in token && token.tokens) || []
}
