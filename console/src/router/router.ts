import { computed, signal } from '@preact/signals'
import { serverUrl } from './server-url.ts'

const root = `${serverUrl.pathname}console`

const here = signal(read())

/** The path below /console, such as `/board/1234`, and the query. */
export const place = computed(() => here.value)

/** The value of a query parameter; an empty text if it is absent. */
export function query(name: string): string {
  return here.value.query.get(name) ?? ''
}

/** The address of a path below /console. */
export function hrefOf(path: string, words: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(words)) if (value) search.set(name, value)
  return `${root}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** The current address with some query parameters changed; undefined or an empty text removes one. */
export function hrefWith(words: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = here.value
  return hrefOf(path, { ...Object.fromEntries(query), ...words })
}

/**
 * Opens an address of the console.
 * @param replace replaces the history entry, so that Back skips the current address
 */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  here.value = read()
}

/** Changes query parameters of the current address, as filters do while the user types. */
export function setQuery(words: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  go(hrefWith(words), { replace })
}

/** The key or id of the task that is open beside the view. */
export const openTask = computed(() => here.value.query.get('task') ?? undefined)

/** The address that opens a task beside the current view. */
export const taskHref = (key: string): string => hrefWith({ task: key })

/** Follows Back and Forward, and handles clicks on links into the console. */
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
