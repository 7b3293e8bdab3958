import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Row } from './row.ts'

interface Walk {
  /** the index of the focused row, which is drawn even out of view */
  at: Signal<number>
  /** moves the focus by so many rows */
  step(by: number): void
}

/** Moves the focus through a windowed list. When the focused row disappears, the row in its place gets the focus. */
export function useWalk(list: RefObject<HTMLElement | null>, rows: readonly Row[], rowHeight: number): Walk {
  const at = useSignal(-1)
  const wanted = useSignal(-1)
  const id = useSignal('')
  const go = (place: number) => {
    const scrolled = list.current
    if (!scrolled || place < 0 || place >= rows.length) return
    const [top, room] = [place * rowHeight, scrolled.clientHeight - 2 * rowHeight]
    // the table head covers the top of the list
    if (top < scrolled.scrollTop) scrolled.scrollTop = top
    else if (top > scrolled.scrollTop + room) scrolled.scrollTop = top - room
    at.value = place
    wanted.value = place
  }
  useLayoutEffect(() => {
    if (wanted.value < 0) return
    const link = list.current?.querySelector<HTMLElement>(`[data-at="${wanted.value}"] a`)
    if (!link) return
    wanted.value = -1
    link.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    if (at.value < 0 || rows[at.value]?.id === id.value) return
    const now = rows.findIndex((row) => row.id === id.value)
    if (now >= 0) at.value = now
    else if (document.activeElement === document.body) go(Math.min(at.value, rows.length - 1))
  }, [rows])
  // a layout effect, to act before the next key press
  useLayoutEffect(() => {
    const scrolled = list.current
    const entered = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null
      if (!row) return
      at.value = Number(row.dataset.at)
      id.value = row.dataset.id ?? ''
    }
    const pressed = (event: KeyboardEvent) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      go(at.value + by)
    }
    scrolled?.addEventListener('focusin', entered)
    scrolled?.addEventListener('keydown', pressed)
    return () => {
      scrolled?.removeEventListener('focusin', entered)
      scrolled?.removeEventListener('keydown', pressed)
    }
  })
  return { at, step: (by) => go(at.value < 0 ? 0 : at.value + by) }
}
