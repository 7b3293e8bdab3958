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
  /** `side` is beside the view, `wide` has room for tables */
  kind?: 'plain' | 'wide' | 'side'
  /** the content draws title and close button itself; the title still names the dialog */
  isTitleHidden?: boolean
  /** asked before Escape, the close button or the backdrop closes it; false keeps it open, to protect unsaved text */
  mayClose?: () => boolean
}

/** The title ids of open dialogs, the top one last. */
const open = signal<readonly string[]>([])

/** Whether a dialog is open: notices must then be inside it, because the page behind it is inert. */
export const isDialogOpen = computed(() => open.value.length > 0)

/** A modal dialog: the browser's own, which holds the focus and restores it. */
export function Dialog({ title, onClose, children, kind = 'plain', isTitleHidden = false, mayClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // a layout effect, to act before the next key press
  useLayoutEffect(() => {
    const places = placesOf(document.activeElement)
    const shown = dialog.current
    shown?.showModal()
    open.value = [...open.peek(), titleId]
    return () => {
      open.value = open.peek().filter((id) => id !== titleId)
      // close first: while it is open, nothing outside can take the focus
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

// the opener may be gone, for example with its deleted row: then a neighbor gets the focus
function placesOf(opener: Element | null): HTMLElement[] {
  const row = opener?.closest('li')
  const beside = [row?.nextElementSibling, row?.previousElementSibling].map((other) =>
    other?.querySelector('a, button'),
  )
  const places = [opener, ...beside, document.getElementById('content')]
  return places.filter((place): place is HTMLElement => place instanceof HTMLElement && place !== document.body)
}
