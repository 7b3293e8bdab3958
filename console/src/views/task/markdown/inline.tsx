import { type ComponentChildren, Fragment, h } from 'preact'
import { words } from '../../../words.ts'
import type { MarkdownNode } from './reading.ts'
import { safeAddress } from './safe-address.ts'

/** Text, links and emphasis. HTML is shown as text. */
export function inline(parts: readonly MarkdownNode[]): ComponentChildren {
  return h(Fragment, null, ...parts.map(oneInline))
}

function oneInline({ type, token, parts }: MarkdownNode): ComponentChildren {
  switch (type) {
    case 'inline':
      return inline(parts)
    case 'strong':
    case 'em':
    case 's':
      return h(token.tag, null, inline(parts))
    case 'code_inline':
      return <code>{token.content}</code>
    case 'hardbreak':
    case 'softbreak':
      return <br />
    case 'link':
      return link(String(token.attrGet('href')), token.markup, parts)
    case 'image':
      return picture(String(token.attrGet('src')), textOf(parts))
    default:
      return token.content
  }
}

// the library also takes names such as README.md for addresses
const writtenAsAddress = /^(?:https?:\/\/|www\.|mailto:|[^/]*@)/i

function link(href: string, markup: string, parts: readonly MarkdownNode[]): ComponentChildren {
  const address = safeAddress(href)
  if (address === undefined)
    return markup === '' ? (
      <>
        [{inline(parts)}]({href})
      </>
    ) : (
      inline(parts)
    )
  if (markup === 'linkify' && !writtenAsAddress.test(textOf(parts))) return inline(parts)
  return <Outside address={address}>{inline(parts)}</Outside>
}

/** A picture becomes a link. Loading it would tell its author who reads it, and when. */
function picture(src: string, text: string): ComponentChildren {
  const address = safeAddress(src)
  if (address === undefined) return `![${text}](${src})`
  return <Outside address={address}>{words.task.picture(text || address)}</Outside>
}

const textOf = (parts: readonly MarkdownNode[]): string =>
  parts.map(({ token, parts: inner }) => (inner.length > 0 ? textOf(inner) : token.content)).join('')

const Outside = ({ address, children }: { address: string; children: ComponentChildren }) => (
  <a href={address} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)
