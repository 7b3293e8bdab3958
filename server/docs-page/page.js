import { element } from './element.js'
import { eventTypesTitle, eventTypesView } from './event-types.js'
import { answerSchema, readApi, titleOf } from './openapi.js'
import { operationView } from './operation.js'
import { parse, send } from './request.js'
import { useKey } from './session.js'

const at = (id) => document.getElementById(id)

switchTheme()
skipToMain()
takeKey()
readApi().then(showApi, (error) => {
  at('problem').hidden = false
  at('problem').textContent = error.message
})

function showApi({ info, tags, operations, groups, eventTypes, resolve }) {
  at('version').textContent = info.version
  at('groups').append(...[...groups].map(([group, members]) => groupView(group, members)), eventTypesLink(eventTypes))
  at('resources').append(...[...groups].map(([group, members]) => card(group, members, tags, resolve)))
  filterOperations()
  const pages = operations.map((operation) => ({
    id: operation.operationId,
    title: operation.summary,
    open: () => operationView(operation, resolve),
  }))
  const eventTypesPage = { id: 'eventTypes', title: eventTypesTitle, open: () => eventTypesView(eventTypes, resolve) }
  followAddress([...pages, eventTypesPage])
}

/** One line that is found by the name of each type. */
function eventTypesLink(eventTypes) {
  const link = element(
    'a',
    { href: '#eventTypes', title: 'The types of events' },
    element('span', { class: 'method POST' }, 'POST'),
    element('span', {}, eventTypesTitle),
  )
  const words = `${eventTypesTitle} types of events ${eventTypes.map(({ type }) => type).join(' ')}`.toLowerCase()
  const named = { 'data-summary': eventTypesTitle.toLowerCase(), 'data-id': 'eventtypes' }
  return element(
    'section',
    {},
    element('h2', {}, 'To you'),
    element('ul', {}, element('li', { 'data-words': words, ...named }, link)),
  )
}

function groupView(group, operations) {
  const links = operations.map(({ operationId, method, path, summary }) => {
    const words = `${group} ${method} ${path} ${summary} ${operationId}`.toLowerCase()
    const link = element(
      'a',
      { href: `#${operationId}`, title: `${method} ${path}` },
      element('span', { class: `method ${method}` }, method),
      element('span', {}, summary),
    )
    const named = { 'data-summary': summary.toLowerCase(), 'data-id': operationId.toLowerCase() }
    return element('li', { 'data-words': words, ...named }, link)
  })
  return element('section', {}, element('h2', {}, titleOf(group)), element('ul', {}, links))
}

function card(group, operations, tags, resolve) {
  const schemas = operations.map((operation) => resolve(answerSchema(operation) ?? {}))
  const [described] = [...tags.filter(({ name }) => name === group), ...schemas].filter(
    ({ description }) => description,
  )
  return element(
    'li',
    {},
    element('a', { href: `#${operations[0].operationId}` }, titleOf(group)),
    element('p', {}, described?.description ?? operations[0].summary),
  )
}

/** Shows the page that the address names after its #, or the start. */
function followAddress(pages) {
  const views = new Map()
  const start = { view: at('start'), submit() {}, refresh() {} }
  let shown = start
  const show = (moved) => {
    const page = pages.find(({ id }) => `#${id}` === location.hash)
    if (page && !views.has(page)) views.set(page, page.open())
    shown = page ? views.get(page) : start
    at('main').replaceChildren(shown.view)
    shown.refresh()
    for (const link of at('groups').querySelectorAll('a')) {
      const current = link.hash === location.hash
      if (current) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
      if (current) link.scrollIntoView({ block: 'nearest' })
    }
    document.title = page ? `${page.title} · Taskwright API` : 'Taskwright API'
    openMenu(false)
    if (!moved) return
    scrollTo(0, 0)
    at('main').querySelector('h1').focus({ preventScroll: true })
  }
  addEventListener('hashchange', () => show(true))
  addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // these have an Enter of their own
    if (!event.target.closest('#key, #filter')) shown.submit(event)
  })
  at('menu').addEventListener('click', () => openMenu(at('menu').getAttribute('aria-expanded') !== 'true'))
  show(false)
}

function openMenu(open) {
  at('menu').setAttribute('aria-expanded', open)
  if (open) at('filter').focus()
}

function filterOperations() {
  const filter = at('filter')
  const items = [...at('groups').querySelectorAll('li')]
  const left = () => items.filter(({ hidden }) => !hidden)
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/)
    for (const item of items) item.hidden = !words.every((word) => item.dataset.words.includes(word))
    for (const section of at('groups').children) section.hidden = !section.querySelector('li:not([hidden])')
    at('none').hidden = left().length > 0
  }
  filter.addEventListener('input', apply)
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      filter.value = ''
      apply()
    }
    if (event.key === 'Enter') meant(left(), filter.value)?.querySelector('a').click()
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    left()[0]?.querySelector('a').focus()
  })
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return
    event.preventDefault()
    openMenu(true)
    filter.select()
  })
}

/** The operation that is looked for: the one named so, else the one with all these words, else with these letters. */
function meant(items, typed) {
  const wanted = typed.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const ways = [
    ({ summary, id }) => [summary, id].includes(wanted),
    ({ summary }) => summary.startsWith(wanted),
    ({ summary }) => words.every((word) => summary.split(/[^\p{L}\p{N}]+/u).includes(word)),
    () => true,
  ]
  for (const way of ways) {
    const found = items.find(({ dataset }) => way({ summary: dataset.summary, id: dataset.id }))
    if (found) return found
  }
  return undefined
}

/** Takes the key out of its field into memory, and shows whose it is. */
function takeKey() {
  const [form, field, caller] = [at('key'), at('key-field'), at('caller')]
  const forget = () => {
    useKey('')
    form.hidden = false
    caller.hidden = true
    field.focus()
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const key = field.value.trim()
    if (key === '') return
    useKey(key)
    field.value = ''
    form.hidden = true
    caller.hidden = false
    // the button that had the focus is gone
    caller.focus()
    const button = element('button', { type: 'button', onclick: forget }, 'Forget key')
    caller.replaceChildren(element('span', {}, await holder()), button)
  })
}

async function holder() {
  try {
    const { status, text } = await send({ method: 'GET', url: '/api/v1/me', headers: {} })
    const { member, organization } = parse(text) ?? {}
    if (status === 200) return `${member.name}, ${member.role} of ${organization.name}`
    return status === 401 ? 'No member has this key; the operator’s token founds organizations' : `Answered ${status}`
  } catch {
    return 'The server did not answer'
  }
}

// by hand: the address after its # names an operation
function skipToMain() {
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault()
    at('main').focus()
  })
}

/** Light or dark as the system says, until somebody presses the button. */
function switchTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const root = document.documentElement
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches)
  const label = () => {
    at('theme').textContent = isDark() ? 'Light' : 'Dark'
    at('theme').title = `Switch to ${isDark() ? 'light' : 'dark'} colours`
  }
  at('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    label()
  })
  system.addEventListener('change', label)
  label()
}
