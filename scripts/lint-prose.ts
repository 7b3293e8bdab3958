import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { lexer, type Token } from 'marked'
import { parseSync, Visitor } from 'oxc-parser'

/** A text and the file that has it. */
interface Text {
  where: string
  text: string
}

const mostWords = 30

/** Forms that make a reader start a sentence again. The names say what to write. */
const forbidden: Record<string, RegExp> = {
  'name the actor instead of "who/what …"': /^(?:Who|Whoever|Whatever|What|Whose)\b(?!.*\?)/,
  'name the actor instead of "for who …"': /\b(?:for|to|by|from|with) (?:who|whoever|whatever)\b/i,
  'name the actor instead of "whoever"': /\bwho(?:s|m)?ever\b/i,
  'write "again"': /\banew\b/i,
  'write "must" or "can"': /\b(?:is|are) to be\b/i,
  'write "those that"': /\bthat which\b/i,
}

// the changelog is history, STYLE.md quotes what it forbids, and the benchmark's page is a record of measurements
const isPage = (file: string) => file.endsWith('.md') && !['CHANGELOG.md', 'STYLE.md', 'bench/README.md'].includes(file)
const isSource = (file: string) =>
  /^(?:server|cli|console|client)\/src\/.*\.tsx?$/.test(file) && !file.includes('/generated/')

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
const problems = [...pages(), ...descriptions(), ...sources()].flatMap(problemsOf)
for (const problem of problems) process.stdout.write(`${problem}\n`)
if (problems.length > 0) process.stdout.write(`${problems.length} sentences are hard to read\n`)
process.exitCode = problems.length > 0 ? 1 : 0

function problemsOf({ where, text }: Text): string[] {
  return sentencesOf(text).flatMap((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length
    const length = words > mostWords ? [`${words} words, at most ${mostWords}`] : []
    const forms = Object.entries(forbidden).flatMap(([advice, form]) => (form.test(sentence) ? [advice] : []))
    return [...length, ...forms].map((problem) => `${where}: ${problem}: ${sentence.trim()}`)
  })
}

/** Code counts as one word. */
function sentencesOf(text: string): string[] {
  const plain = text.replace(/`[^`]*`/g, 'Code').replace(/\s+/g, ' ')
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(plain)
  return [...segments].map(({ segment }) => segment)
}

function pages(): Text[] {
  return files
    .filter(isPage)
    .flatMap((file) => textsIn(lexer(readFileSync(file, 'utf8'))).map((text) => ({ where: file, text })))
}

/** The texts of a page: paragraphs, points of lists, cells. */
function textsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'table') {
      const cells = [token.header, ...token.rows].flat() as { tokens: Token[] }[]
      return cells.map((cell) => inline(cell.tokens))
    }
    if (token.type === 'list') return (token.items as { tokens: Token[] }[]).flatMap((item) => textsIn(item.tokens))
    if (token.type === 'blockquote') return textsIn(token.tokens ?? [])
    return token.type === 'paragraph' || token.type === 'text' ? [inline(token.tokens ?? [])] : []
  })
}

function inline(tokens: readonly Token[]): string {
  const written = tokens.map((token) => {
    if (token.type === 'codespan') return token.raw
    return 'tokens' in token && token.tokens ? inline(token.tokens) : 'text' in token ? String(token.text) : ''
  })
  return written.join('')
}

function descriptions(): Text[] {
  const found = new Set<string>()
  JSON.parse(readFileSync('server/openapi.json', 'utf8'), (key, value) => {
    if ((key === 'description' || key === 'summary') && typeof value === 'string') found.add(value)
    return value
  })
  return [...found].map((text) => ({ where: 'server/openapi.json', text }))
}

/** Comments of the sources, and messages: strings of five words or more that begin as a sentence does. */
function sources(): Text[] {
  return files.filter(isSource).flatMap((file) => {
    const { program, comments } = parseSync(file, readFileSync(file, 'utf8'))
    const found = comments.flatMap(({ value }) => value.replace(/^\s*\* ?/gm, '').split(/\n\s*\n|^@/m))
    const take = (text: string) => {
      if (/^\p{Lu}\p{Ll}*['’]?\p{Ll}* (?:\S+ ){3,}/u.test(text)) found.push(text)
    }
    const visitor = new Visitor({
      Literal: ({ value }) => void (typeof value === 'string' && take(value)),
      TemplateLiteral: ({ quasis }) => take(quasis.map(({ value }) => value.cooked ?? '').join('…')),
    })
    visitor.visit(program)
    return found.map((text) => ({ where: file, text: text.trim() }))
  })
}
