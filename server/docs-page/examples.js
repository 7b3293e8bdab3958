import { coloured } from './answer.js'
import { element } from './element.js'
import { copyText } from './frame.js'
import { root } from './root.js'

const exampleBase = 'http://127.0.0.1:3000'

/** How each operation is asked, and what it answers. */
export async function readExamples() {
  const response = await fetch(`${root}/docs/examples.json`)
  if (!response.ok) throw new Error(`The examples could not be read (${response.status}).`)
  return response.json()
}

/** An operation as a command and as code, one at a time, above what comes back. */
export function exampleView({ curl, sdk, answer }) {
  const shown = { curl: curl.replace(exampleBase, root), TypeScript: sdk }
  const code = element('code')
  const copy = element('button', { type: 'button', class: 'copy', onclick: () => copyText(code, copy) }, 'Copy')
  const buttons = Object.keys(shown).map((name) =>
    element('button', { type: 'button', 'aria-pressed': 'false', onclick: () => show(name) }, name),
  )
  const show = (name) => {
    language = name
    for (const button of buttons) button.setAttribute('aria-pressed', button.textContent === name)
    code.replaceChildren(...colouredCode(shown[name]))
  }
  show(language)
  return element(
    'section',
    { class: 'example', 'aria-label': 'Example' },
    element('div', { class: 'titled' }, element('h2', {}, 'Example'), ...buttons),
    element('div', { class: 'code' }, element('pre', { tabindex: '0' }, code), copy),
    answer !== undefined && [
      element('h3', {}, 'Response'),
      element('pre', { class: 'body', tabindex: '0' }, coloured(answer, '')),
    ],
  )
}

// what was chosen for one operation is shown for all
let language = 'curl'

/** Code with its texts and words in colours of their own. */
function colouredCode(text) {
  const tokens = /('[^']*'|"[^"]*")|\b(const|await|for|of)\b|(\/\/.*)/g
  const parts = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, quoted, word] = match
    const kind = quoted ? 'text' : word ? 'key' : 'quiet'
    parts.push(text.slice(end, match.index), element('span', { class: kind }, whole))
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}
