import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words.ts'
import { Notices } from './notices.tsx'
import { Offline } from './offline.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** `side` stands beside the view, `wide` has room for tables */
  kind?: 'plain' | 'wide' | 'side'
  /** whether title and cross are left to what stands in it; its name is the title in any case */
  isTitleHidden?: boolean
  /** asked before it closes by Escape, the cross or the backdrop; false keeps it open, as when something typed would be lost */
  mayClose?: () => boolean
}

/** The titles' ids of those that are open, the one on top last. */
const open = signal<readonly string[]>([])

/** Whether one is open: then what is told stands in it, as nothing beside it is seen or pressed. */
export const isDialogOpen = computed(() => open.value.length > 0)

/** A dialog above the view: the browser's own, which keeps the focus and gives it back. */
export function Dialog({ title, onClose, children, kind = 'plain', isTitleHidden = false, mayClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // before the next key comes
  useLayoutEffect(() => {
    const places = placesOf(document.activeElement)
    const shown = dialog.current
    shown?.showModal()
    open.value = [...open.peek(), titleId]
    return () => {
      open.value = open.peek().filter((id) => id !== titleId)
      // while it is open nothing beside it takes the focus
      shown?.close()
      places.find((place) => place.isConnected)?.focus()
    }
  }, [])
  const leave = () => {
    if (mayClose?.() !== false) onClose()
  }
  const isUppermost = open.value.at(-1) === titleId
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={isTitleHidden ? undefined : titleId}
      aria-label={isTitleHidden ? title : undefined}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        leave()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) leave()
      }}
    >
      {isUppermost && <Offline />}
      <div class="dialog-body">
        {!isTitleHidden && (
          <div class="dialog-head">
            <h2 id={titleId}>{title}</h2>
            <button type="button" class="icon" aria-label={words.dialog.close} onClick={leave}>
              ×
            </button>
          </div>
        )}
        {children}
      </div>
      {isUppermost && <Notices />}
    </dialog>
  )
}

// what it was opened from may be gone by then, as when its row was deleted: then what stood beside it
function placesOf(opener: Element | null): HTMLElement[] {
  const row = opener?.closest('li')
  const beside = [row?.nextElementSibling, row?.previousElementSibling].map((other) =>
    other?.querySelector('a, button'),
  )
  const places = [opener, ...beside, document.getElementById('content')]
  return places.filter((place): place is HTMLElement => place instanceof HTMLElement && place !== document.body)
}
