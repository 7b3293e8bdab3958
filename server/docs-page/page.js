import { element } from './element.js'
import { eventTypesTitle, eventTypesView } from './event-types.js'
import { readExamples } from './examples.js'
import { frame, keep, kept, openMenu } from './frame.js'
import { readApi } from './openapi.js'
import { operationView } from './operation.js'
import { parse, send } from './request.js'
import { root } from './root.js'
import { useKey } from './session.js'

// pages of servers below several paths share what the tab keeps
const keyName = `key ${root}`

const at = (id) => document.getElementById(id)

frame()
takeKey()
Promise.all([readApi(), readExamples()]).then(showApi, (error) => {
  at('problem').hidden = false
  at('problem').textContent = error.message
})

function showApi([{ info, operations, groups, eventTypes, resolve }, examples]) {
  at('version').textContent = info.version
  at('groups').append(...[...groups].map(([group, members]) => groupView(group, members)), eventTypesLink())
  at('resources').append(...[...groups].map(([group, members]) => card(group, members)))
  const pages = operations.map((operation) => ({
    id: operation.operationId,
    title: operation.summary,
    open: () => operationView(operation, resolve, examples[operation.operationId]),
  }))
  const eventTypesPage = { id: 'eventTypes', title: eventTypesTitle, open: () => eventTypesView(eventTypes, resolve) }
  followAddress([...pages, eventTypesPage])
}

const eventTypesLink = () =>
  element(
    'details',
    {},
    element('summary', {}, eventTypesTitle),
    element('ul', {}, element('li', {}, linkTo('eventTypes', 'POST', 'webhooks', eventTypesTitle))),
  )

function groupView(group, operations) {
  const links = operations.map(({ operationId, method, summary }) =>
    element('li', {}, linkTo(operationId, method, operationId, summary)),
  )
  return element('details', {}, element('summary', {}, group), element('ul', {}, links))
}

const linkTo = (id, method, name, title) =>
  element(
    'a',
    { href: `#${id}`, title, class: 'to' },
    element('span', { class: `method ${method}` }, { DELETE: 'DEL' }[method] ?? method),
    element('span', { class: 'called' }, name),
  )

const card = (group, operations) =>
  element(
    'li',
    {},
    element('h3', {}, group),
    element(
      'ul',
      {},
      operations.map(({ operationId, summary }) =>
        element('li', {}, element('a', { href: `#${operationId}`, title: summary }, operationId)),
      ),
    ),
  )

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
      if (!current) continue
      link.closest('details').open = true
      link.scrollIntoView({ block: 'nearest' })
    }
    document.title = page ? `${page.title} · Taskwright API` : 'Taskwright API'
    openMenu(false)
    const heading = page ? undefined : document.getElementById(location.hash.slice(1))
    if (heading && heading !== shown.view) return heading.scrollIntoView()
    if (!moved) return
    scrollTo(0, 0)
    at('main').querySelector('h1').focus({ preventScroll: true })
  }
  addEventListener('hashchange', () => show(true))
  addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // these have an Enter of their own
    if (!event.target.closest('#key, dialog')) shown.submit(event)
  })
  show(false)
}

/** Takes the key out of its field into memory, and where that is asked for keeps it for the tab; shows whose it is. */
function takeKey() {
  const [form, field, caller, tab] = [at('key'), at('key-field'), at('caller'), at('key-keep')]
  const forget = () => {
    useKey('')
    keep(keyName)
    form.hidden = false
    caller.hidden = true
    field.focus()
  }
  const use = async (key) => {
    useKey(key)
    field.value = ''
    form.hidden = true
    caller.hidden = false
    const button = element('button', { type: 'button', onclick: forget }, 'Forget key')
    caller.replaceChildren(element('span', {}, await holder()), button)
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const key = field.value.trim()
    if (key === '') return
    if (tab.checked) keep(keyName, key)
    void use(key)
    // the button that had the focus is gone
    caller.focus()
  })
  const before = kept(keyName)
  if (before !== undefined) void use(before)
}

async function holder() {
  try {
    const { status, text } = await send({ method: 'GET', url: '/api/v1/me', headers: {} })
    const { member, organization } = parse(text) ?? {}
    if (status === 200) return `${member.name}, ${member.role} of ${organization.name}`
    return status === 401
      ? 'No member has this key. If it is the operator token, use it to create organizations'
      : `The server responded with ${status}`
  } catch {
    return 'The server did not respond'
  }
}
