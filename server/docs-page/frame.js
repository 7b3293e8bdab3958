import { element } from './element.js'

const at = (id) => document.getElementById(id)

/** What every page has: light or dark, a menu on a phone, the search, the way past the menu. */
export function frame() {
  switchTheme()
  skipToMain()
  at('menu').addEventListener('click', () => openMenu(at('menu').getAttribute('aria-expanded') !== 'true'))
  at('search').addEventListener('click', search)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return
    event.preventDefault()
    void search()
  })
}

export function openMenu(open) {
  at('menu').setAttribute('aria-expanded', open)
}

// the library and the index are read by who searches
async function search() {
  const { openSearch } = await import('./search.js')
  openMenu(false)
  openSearch()
}

// by hand: the address after its # names an operation or a section
function skipToMain() {
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault()
    at('main').focus()
  })
}

/** Light or dark as the system says, until somebody presses the button; then for as long as the tab is open. */
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
    keep('theme', root.dataset.theme)
    label()
  })
  system.addEventListener('change', label)
  label()
}

/** Keeps a text for as long as the tab is open; undefined forgets it. @returns whether the browser keeps anything */
export function keep(name, text) {
  try {
    if (text === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

/** What was kept in this tab. */
export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Copies the text of an element; says so on the button. */
export async function copyText(source, button) {
  const said = button.textContent
  try {
    await navigator.clipboard.writeText(source.textContent)
    button.textContent = 'Copied'
  } catch {
    // without TLS there is no clipboard: leave it selected
    const closed = source.closest('details')
    if (closed) closed.open = true
    getSelection().selectAllChildren(source)
    button.textContent = 'Selected: copy it'
  }
  setTimeout(() => (button.textContent = said), 1_600)
}

/** A button that copies the text of an element. */
export function copyButton(source) {
  const button = element('button', { type: 'button', class: 'copy', onclick: () => copyText(source, button) }, 'Copy')
  return button
}
