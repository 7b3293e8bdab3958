import MarkdownIt, { type Token } from 'markdown-it'

/** A node of a text with its children. `type` is that of its token, without `_open`. */
export interface MarkdownNode {
  type: string
  token: Token
  parts: MarkdownNode[]
}

// nobody writes deeper nesting to be read
const deepest = 24
// a table row gets as many cells as its head, even if they are not written
const mostElements = 10_000

// The library counts a list and its item as two levels. It drops text below its own limit, so this limit must be larger.
const markdown = new MarkdownIt({ breaks: true, linkify: true, maxNesting: 3 * deepest })

// takes about 50 ms
const mostQuotationLines = 500_000

/**
 * Reads Markdown. The time grows with the length of the text and no faster.
 * @returns undefined if the text nests too deeply, has too many elements, or quotations that take long
 */
export function readMarkdown(text: string): readonly MarkdownNode[] | undefined {
  if (quotationLines(text) > mostQuotationLines) return undefined
  const root: MarkdownNode[] = []
  const count = { elements: 0 }
  return nest(markdown.parse(text, {}), root, count) ? root : undefined
}

/** Builds a tree of tokens that open and close parts. @returns false if it is too deep or too large */
function nest(tokens: readonly Token[], root: MarkdownNode[], count: { elements: number }): boolean {
  const open: MarkdownNode[][] = [root]
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop()
      continue
    }
    const part: MarkdownNode = { type: token.type.replace(/_open$/, ''), token, parts: [] }
    open.at(-1)?.push(part)
    if (token.nesting > 0) open.push(part.parts)
    if (token.children && !nest(token.children, part.parts, count)) return false
    if (!['text', 'inline'].includes(part.type)) count.elements++
    if (count.elements > mostElements || open.length > deepest) return false
  }
  return true
}

/**
 * Counts the lines that the library looks at for quotations. A quotation goes on to the next empty line, but its list or code can end
 * it early. The next quotation then looks at the same lines again.
 */
function quotationLines(text: string): number {
  let sum = 0
  let [begun, lines, before] = [0, 0, 0]
  for (const line of text.split(/\r\n?|\n/)) {
    const depth = marksIn(/^[ \t>]*/, line)
    // a list can begin a quotation in any line
    if (depth > before || marksIn(/^[ \t\d>*+.)-]*/, line) > depth) begun++
    before = depth
    lines++
    if (!/^[ \t]*$/.test(line)) continue
    sum += begun * lines
    ;[begun, lines] = [0, 0]
  }
  return sum + begun * lines
}

const marksIn = (start: RegExp, line: string) => (start.exec(line)?.[0].split('>').length ?? 1) - 1
