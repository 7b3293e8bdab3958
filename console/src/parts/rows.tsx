import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { hrefWith } from '../router/router.ts'
import { words } from '../words.ts'

interface RowsProps {
  label: string
  isBusy?: boolean
  children: ComponentChildren
}

/** A list of rows. When the focused row disappears, the row in its place gets the focus. */
export function Rows({ label, isBusy = false, children }: RowsProps) {
  const list = useRef<HTMLUListElement>(null)
  // a layout effect, to act before the next key press
  useLayoutEffect(() => {
    const { current } = list
    if (!current) return
    let at = -1
    const entered = ({ target }: FocusEvent) => {
      at = [...current.children].findIndex((row) => row.contains(target as Node))
    }
    const left = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) at = -1
    }
    const changed = new MutationObserver(() => {
      if (at < 0 || document.activeElement !== document.body) return
      const row = current.children[Math.min(at, current.children.length - 1)]
      const next =
        row?.querySelector<HTMLElement>('.row-actions button') ?? row?.querySelector<HTMLElement>('a, button')
      const place = next ?? document.getElementById('content')
      place?.focus()
    })
    current.addEventListener('focusin', entered)
    current.addEventListener('focusout', left)
    changed.observe(current, { childList: true })
    return () => changed.disconnect()
  }, [])
  return (
    <ul ref={list} class="rows" aria-label={label} aria-busy={isBusy}>
      {children}
    </ul>
  )
}

interface RowProps {
  name: ComponentChildren
  /** of its heading */
  level?: 2 | 3
  /** state, shown beside the name */
  chips?: ComponentChildren
  /** facts about it, one after another */
  about?: readonly ComponentChildren[]
  actions?: ComponentChildren
  /** content below the row */
  more?: ComponentChildren
  isFaint?: boolean
}

/** A row: name, state and actions. */
export function Row({ name, level = 2, chips, about = [], actions, more, isFaint = false }: RowProps) {
  const Heading = `h${level}` as const
  return (
    <li class={`row ${isFaint ? 'faint' : ''}`}>
      <div class="row-head">
        <Heading class="row-name">{name}</Heading>
        {chips}
      </div>
      {about.length > 0 && (
        <p class="row-about quiet small">
          {about.map((each, place) => (
            <Fragment key={place}>
              {place > 0 && <span aria-hidden="true"> · </span>}
              <span>{each}</span>
            </Fragment>
          ))}
        </p>
      )}
      {actions && <div class="row-actions">{actions}</div>}
      {more && <div class="row-more">{more}</div>}
    </li>
  )
}

interface PagerProps {
  page: number
  pageSize: number
  total: number
}

/** Links to the pages of a long list. The address has the open page as `page`. */
export function Pager({ page, pageSize, total }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1 && page === 1) return null
  const link = (to: number, label: string) =>
    to < 1 || to > last ? null : <a href={hrefWith({ page: to === 1 ? undefined : String(to) })}>{label}</a>
  return (
    <nav class="pager" aria-label={words.pages.label}>
      {link(Math.min(page - 1, last), words.pages.before)}
      <span class="quiet">{words.pages.at(page, last)}</span>
      {link(page + 1, words.pages.after)}
    </nav>
  )
}

/** Parses the `page` of the address. */
export function pageOf(word: string): number {
  const page = Number(word)
  return Number.isInteger(page) && page > 0 ? page : 1
}
