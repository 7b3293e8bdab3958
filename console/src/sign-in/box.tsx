import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words.ts'

interface BoxProps {
  title: string
  /** the sentence below the title */
  lead?: string | undefined
  /** takes the focus, for a page whose first control must not be used without reading */
  isTitleFirst?: boolean
  children?: ComponentChildren
}

/** A page before the shell: one card in the middle. Its first field takes the focus. */
export function Box({ title, lead, isTitleFirst = false, children }: BoxProps) {
  const card = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${title} · ${words.name}`
    const first = isTitleFirst ? null : card.current?.querySelector<HTMLElement>('input, button.primary, button')
    ;(first ?? heading.current)?.focus()
  }, [title])
  return (
    <main class="sign-in">
      <div ref={card} class="card">
        <p class="wordmark">{words.name}</p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
        {children}
      </div>
    </main>
  )
}
