import { element } from './element.js'
import MiniSearch from './minisearch.js'
import { root } from './root.js'

const mostShown = 20
const read = readIndex()
let dialog

/** Opens the one search over the guides, the operations and the types of events. */
export function openSearch() {
  dialog ??= searchDialog()
  if (!dialog.view.isConnected) document.body.append(dialog.view)
  dialog.view.showModal()
  dialog.field.select()
}

async function readIndex() {
  const response = await fetch(`${root}/docs/found.json`)
  const documents = (await response.json()).map((document, id) => ({ ...document, id }))
  const index = new MiniSearch({
    fields: ['title', 'name', 'within', 'text'],
    storeFields: ['url', 'kind', 'title', 'name', 'within', 'text'],
    searchOptions: {
      boost: { title: 5, name: 4, within: 2 },
      boostDocument: (_, __, { kind }) => (kind === 'operation' ? 1.2 : 1),
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      combineWith: 'AND',
    },
    // `moveTasksTo` is found by its whole and by its words, `/api/v1/tasks` by its parts
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => [word, ...wordsIn(word)]),
  })
  index.addAll(documents)
  return index
}

function wordsIn(word) {
  const parts = word.replace(/\p{Lu}/gu, ' $&').split(/[\s_]+/)
  return parts.length > 1 ? parts : []
}

function searchDialog() {
  const field = element('input', {
    ...{ type: 'search', 'aria-label': 'Search guides and operations', placeholder: 'Search guides and operations' },
    ...{ autocomplete: 'off', spellcheck: 'false' },
  })
  const said = element('p', { class: 'said', role: 'status' })
  const list = element('ul', { class: 'found' })
  const close = element('button', { type: 'button', onclick: () => view.close() }, 'Close')
  const view = element(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    element('div', { class: 'asked' }, field, close),
    said,
    list,
  )
  const links = () => [...list.querySelectorAll('a')]
  let latest = 0

  async function show() {
    const turn = ++latest
    const index = await read.catch(() => undefined)
    if (turn !== latest) return
    const typed = field.value.trim()
    const found = index && typed !== '' ? best(index, typed) : []
    list.replaceChildren(...found.slice(0, mostShown).map((result) => resultView(result, () => view.close())))
    list.scrollTop = 0
    said.textContent = sentence(index, typed, found.length)
  }

  field.addEventListener('input', show)
  field.addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    await show()
    links()[0]?.click()
  })
  // where nothing had the focus before, it would stay in what is no longer there
  const leave = () => view.contains(document.activeElement) && document.activeElement.blur()
  view.addEventListener('keydown', (event) => {
    // in a field for searching it would only empty it
    if (event.key === 'Escape') {
      event.preventDefault()
      view.close()
      // the next key may come before the event does
      leave()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const places = [field, ...links()]
    places[Math.min(Math.max(places.indexOf(document.activeElement) + step, 0), places.length - 1)].focus()
  })
  view.addEventListener('close', leave)
  // a press beside it
  view.addEventListener('click', (event) => event.target === view && view.close())
  void show()
  return { view, field }
}

function sentence(index, typed, count) {
  if (index === undefined) return 'The search index could not be loaded. Load the page again.'
  if (typed === '') return 'Guides, operations, error codes and event types. Enter opens the first result.'
  if (count === 0) return 'No page has all of these words.'
  return count > mostShown ? `${count} found, the best ${mostShown}:` : `${count} found`
}

/** The results, what is called exactly so first. */
function best(index, typed) {
  const wanted = typed.toLowerCase()
  const rank = ({ title, name = '' }) => {
    const names = [title.toLowerCase(), name.toLowerCase()]
    return names.includes(wanted) ? 0 : names[0].startsWith(wanted) ? 1 : 2
  }
  const found = index.search(typed)
  return found
    .map((result, place) => ({ result, place }))
    .sort((one, other) => rank(one.result) - rank(other.result) || one.place - other.place)
    .map(({ result }) => result)
}

function resultView({ url, kind, title, name, within, text, match }, close) {
  const terms = Object.keys(match)
  const [method] = kind === 'operation' ? within.split(' ') : []
  return element(
    'li',
    {},
    element(
      'a',
      { href: root + url, onclick: close },
      element(
        'span',
        { class: 'where' },
        method && element('span', { class: `method ${method}` }, method),
        kind === 'operation' ? element('code', {}, name) : within,
      ),
      element('b', {}, marked(title, terms)),
      text !== '' && element('span', { class: 'piece' }, marked(pieceOf(text, terms), terms)),
    ),
  )
}

const before = 50
const after = 130

/** Where the text has what was looked for. */
function pieceOf(text, terms) {
  const [first = 0] = terms
    .map((term) => text.toLowerCase().indexOf(term))
    .filter((at) => at >= 0)
    .sort((one, other) => one - other)
  const from = first <= before ? 0 : text.indexOf(' ', first - before) + 1
  const to = text.length <= from + after ? text.length : text.lastIndexOf(' ', from + after)
  return `${from > 0 ? '… ' : ''}${text.slice(from, Math.max(to, first + 1))}${to < text.length ? ' …' : ''}`
}

/** A text with the words that were looked for marked. */
function marked(text, terms) {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [text]
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((part, i) => (i % 2 === 1 ? element('mark', {}, part) : part))
}
