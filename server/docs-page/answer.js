import { element, present } from './element.js'

// those that tell what happened; the others stand below them
const telling = ['etag', 'location', 'idempotent-replayed', 'x-error-code', 'x-request-id', 'retry-after', 'allow']
const spellings = { etag: 'ETag' }

/** What came back: status, headers, body, and a way to the next page. */
export function answerView({ status, reason, headers, text, tookMs }, body, next) {
  const named = [...headers].sort(([a], [b]) => rank(a) - rank(b))
  const shown = named.filter(([name]) => telling.includes(name))
  const others = named.filter(([name]) => !telling.includes(name))
  return present([
    element(
      'p',
      { class: 'status', role: 'status', tabindex: '-1' },
      element('strong', { class: `s${Math.floor(status / 100)}` }, `${status} ${reason}`),
      element('span', {}, `${Math.round(tookMs)} ms · ${new Blob([text]).size.toLocaleString('en')} bytes`),
      next && element('button', { type: 'button', class: 'next', onclick: next }, 'Next page →'),
    ),
    headers.get('idempotent-replayed') === 'true' &&
      element(
        'p',
        { class: 'note' },
        'Replayed: this is the first response again. The server did nothing a second time.',
      ),
    status === 409 &&
      element('p', { class: 'note' }, 'This Idempotency-Key was already used for another request. Use a new key.'),
    status === 401 && element('p', { class: 'note' }, 'Enter an API key at the top of the page.'),
    headerList(shown),
    others.length > 0 &&
      element('details', {}, element('summary', {}, `${others.length} more headers`), headerList(others)),
    text !== '' &&
      element('pre', { class: 'body', tabindex: '0', 'aria-label': 'Response body' }, coloured(body, text)),
  ])
}

const rank = (name) => (telling.includes(name) ? telling.indexOf(name) : telling.length)

const headerList = (headers) =>
  element(
    'dl',
    { class: 'headers' },
    headers.map(([name, value]) => [element('dt', {}, spelled(name)), element('dd', {}, value)]),
  )

const spelled = (name) => spellings[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** JSON with its keys, texts and other values in colours of their own; whatever is no JSON as it came. */
export function coloured(body, text) {
  if (body === undefined) return [text]
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g
  const pretty = JSON.stringify(body, null, 2)
  const parts = []
  let end = 0
  for (const match of pretty.matchAll(tokens)) {
    const [whole, quoted, colon] = match
    const kind = colon ? 'key' : quoted ? 'text' : 'value'
    parts.push(pretty.slice(end, match.index), element('span', { class: kind }, quoted ?? whole), colon ?? '')
    end = match.index + whole.length
  }
  return [...parts, pretty.slice(end)]
}
