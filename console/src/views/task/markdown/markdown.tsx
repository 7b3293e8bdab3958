import { type ComponentChildren, Fragment, h, type JSX } from 'preact'
import { words } from '../../../words.ts'
import { directionOf } from './direction.ts'
import { useDrawn } from './drawing.ts'
import { inline } from './inline.tsx'
import { type MarkdownNode, readMarkdown } from './reading.ts'

/** Markdown as elements of the page. It never renders HTML: HTML in the text is shown as text. */
export function Markdown({ text }: { text: string }) {
  const drawn = useDrawn(text, draw)
  return (
    <div class="markdown" dir={directionOf(text)} aria-busy={drawn === undefined}>
      {drawn ?? asWritten(text)}
    </div>
  )
}

function draw(text: string): ComponentChildren {
  const parts = readMarkdown(text)
  return parts ? blocks(parts, { heading: 2 }) : asWritten(text)
}

const asWritten = (text: string) => <p class="written">{text}</p>

/** @param above the last heading so far: the next one is at most a step below it */
function blocks(parts: readonly MarkdownNode[], above: { heading: number }): ComponentChildren {
  return h(Fragment, null, ...parts.map((part) => oneBlock(part, above)))
}

function oneBlock({ type, token, parts }: MarkdownNode, above: { heading: number }): ComponentChildren {
  switch (type) {
    case 'heading': {
      above.heading = Math.min(Number(token.tag.slice(1)) + 2, above.heading + 1, 6)
      return h(`h${above.heading}`, { dir: directionOf(writtenIn(parts)) }, inline(parts))
    }
    case 'paragraph':
      // `hidden` marks a paragraph in a list without blank lines
      return token.hidden ? inline(parts) : <p dir={directionOf(writtenIn(parts))}>{inline(parts)}</p>
    case 'blockquote':
      return <blockquote>{blocks(parts, above)}</blockquote>
    case 'bullet_list':
      return h('ul', null, ...parts.map((part) => item(part, above)))
    case 'ordered_list':
      return h('ol', { start: Number(token.attrGet('start') ?? 1) }, ...parts.map((part) => item(part, above)))
    case 'fence':
    case 'code_block':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a scrolling element
        <pre tabIndex={0} dir="ltr">
          <code>{token.content.replace(/\n$/, '')}</code>
        </pre>
      )
    case 'table':
      return table(parts)
    case 'hr':
      return <hr />
    default:
      return asWritten(token.content)
  }
}

function item({ parts }: MarkdownNode, above: { heading: number }): JSX.Element {
  const checked = takeTick(parts)
  return h(
    'li',
    { dir: directionOf(writtenIn(parts)), class: checked === undefined ? '' : 'task-line' },
    checked !== undefined && (
      <span class="tick" role="img" aria-label={checked ? words.task.ticked : words.task.unticked}>
        {checked ? '☑' : '☐'}
      </span>
    ),
    blocks(parts, above),
  )
}

/** The start of a text, as written. */
function writtenIn([first]: readonly MarkdownNode[]): string {
  if (first === undefined) return ''
  return first.token.content || writtenIn(first.parts)
}

/** Removes a leading `[ ]` or `[x]` from an item. @returns whether it is ticked; undefined without a box */
function takeTick([first]: readonly MarkdownNode[]): boolean | undefined {
  const text = first?.type === 'paragraph' ? first.parts[0]?.parts[0]?.token : undefined
  const [tick, mark] = (text?.type === 'text' && /^\[([ xX])\] /.exec(text.content)) || []
  if (text === undefined || tick === undefined) return undefined
  text.content = text.content.slice(tick.length)
  return mark !== ' '
}

function table(sections: readonly MarkdownNode[]): JSX.Element {
  const cell = ({ token, parts }: MarkdownNode) => {
    const [, align] = /text-align:(\w+)/.exec(String(token.attrGet('style'))) ?? []
    return h(token.tag, align ? { class: `to-${align}` } : null, inline(parts))
  }
  const line = ({ parts }: MarkdownNode) => h('tr', null, ...parts.map(cell))
  const section = ({ type, parts }: MarkdownNode) => h(type, null, ...parts.map(line))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a scrolling element
    <div class="table" tabIndex={0}>
      <table>{h(Fragment, null, ...sections.map(section))}</table>
    </div>
  )
}
