import { computed, signal } from '@preact/signals'
import { serverUrl } from './server-url.ts'

const root = `${serverUrl.pathname}console`

const here = signal(read())

/** The path below /console, such as `/board/1234`, and the query of the address. */
export const place = computed(() => here.value)

/** What a word of the query says, an empty text when it is not there. */
export function query(name: string): string {
  return here.value.query.get(name) ?? ''
}

/** The address of a path below /console. */
export function hrefOf(path: string, words: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(words)) if (value) search.set(name, value)
  return `${root}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** The address of this view with some words of the query changed; undefined or an empty text takes one away. */
export function hrefWith(words: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = here.value
  return hrefOf(path, { ...Object.fromEntries(query), ...words })
}

/**
 * Goes to an address of the console.
 * @param replace in place of where one is: Back leads to where one was before
 */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  here.value = read()
}

/** Goes on with a changed query, as filters do while somebody types. */
export function setQuery(words: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  go(hrefWith(words), { replace })
}

/** The task that is open beside the view, by its key or id. */
export const openTask = computed(() => here.value.query.get('task') ?? undefined)

/** The address that opens a task beside the view where one is. */
export const taskHref = (key: string): string => hrefWith({ task: key })

/** Follows the browser's Back and Forward, and takes clicks on links into the console. */
export function followAddress(): void {
  addEventListener('popstate', () => {
    here.value = read()
  })
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link?.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname !== root && !link.pathname.startsWith(`${root}/`)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}

function read() {
  const path = location.pathname.slice(root.length).replace(/\/$/, '')
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) }
}
