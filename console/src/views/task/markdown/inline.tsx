import type { Token, Tokens } from 'marked'
import { type ComponentChildren, Fragment, h } from 'preact'
import { words } from '../../../words.ts'
import { withoutEntities } from './entities.ts'
import { safeAddress } from './safe-address.ts'

/** What stands in a line: text, links, emphasis. HTML is text. */
export function inline(tokens: readonly Token[] = []): ComponentChildren {
  return h(Fragment, null, ...tokens.map(oneInline))
}

function oneInline(token: Token): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link token={token as Tokens.Link} />
    case 'image':
      return <Image token={token as Tokens.Image} />
    case 'checkbox':
      return null
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? inline(token.tokens) : withoutEntities(token.text)
    default:
      return token.raw
  }
}

function Link({ token: { href, raw, tokens, autolink } }: { token: Tokens.Link }) {
  const address = safeAddress(autolink ? href : withoutEntities(href))
  return address === undefined ? raw : <Outside address={address}>{inline(tokens)}</Outside>
}

/** A picture is fetched from nowhere: who wants to see it follows the link. */
function Image({ token: { href, raw, text } }: { token: Tokens.Image }) {
  const address = safeAddress(withoutEntities(href))
  if (address === undefined) return raw
  return <Outside address={address}>{words.task.picture(withoutEntities(text) || address)}</Outside>
}

const Outside = ({ address, children }: { address: string; children: ComponentChildren }) => (
  <a href={address} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)
