import type { Token, Tokens } from 'marked'
import { type ComponentChildren, Fragment, h, type JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { words } from '../../../words.ts'
import { inline } from './inline.tsx'
import { readMarkdown } from './reading.ts'

/** Markdown as elements of the page. No HTML is made of it: what looks like HTML is shown as it was written. */
export function Markdown({ text }: { text: string }) {
  const drawn = useMemo(() => draw(text), [text])
  return (
    <div class="markdown" dir="auto">
      {drawn}
    </div>
  )
}

function draw(text: string): ComponentChildren {
  const tokens = readMarkdown(text)
  return tokens ? blocks(tokens, { heading: 2 }) : <p class="written">{text}</p>
}

/** @param above the last heading so far: the next one is at most a step below it */
function blocks(tokens: readonly Token[], above: { heading: number }): ComponentChildren {
  return h(Fragment, null, ...tokens.map((token) => oneBlock(token, above)))
}

function oneBlock(token: Token, above: { heading: number }): ComponentChildren {
  switch (token.type) {
    case 'heading': {
      above.heading = Math.min(token.depth + 2, above.heading + 1, 6)
      return h(`h${above.heading}`, { dir: 'auto' }, inline(token.tokens))
    }
    case 'paragraph':
      return <p dir="auto">{inline(token.tokens)}</p>
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], above)}</blockquote>
    case 'list':
      return list(token as Tokens.List, above)
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <pre tabIndex={0} dir="ltr">
          <code>{token.text}</code>
        </pre>
      )
    case 'table':
      return table(token as Tokens.Table)
    case 'hr':
      return <hr />
    case 'text':
      return inline([token])
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    default:
      return <p class="written">{token.raw.trimEnd()}</p>
  }
}

function list({ ordered, start, items }: Tokens.List, above: { heading: number }): JSX.Element {
  const lines = items.map(({ task, checked, tokens }) =>
    h(
      'li',
      { dir: 'auto', class: task ? 'task-line' : '' },
      task && (
        <span class="tick" role="img" aria-label={checked ? words.task.ticked : words.task.unticked}>
          {checked ? '☑' : '☐'}
        </span>
      ),
      blocks(tokens, above),
    ),
  )
  return ordered ? h('ol', { start: start === '' ? 1 : start }, ...lines) : h('ul', null, ...lines)
}

function table({ header, rows }: Tokens.Table): JSX.Element {
  const line = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    h('tr', null, ...cells.map(({ align, tokens }) => h(tag, align ? { class: `to-${align}` } : null, inline(tokens))))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div class="table" tabIndex={0}>
      <table>
        <thead>{line('th', header)}</thead>
        {h('tbody', null, ...rows.map((cells) => line('td', cells)))}
      </table>
    </div>
  )
}
