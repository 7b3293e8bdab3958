import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** The visible range of many rows of equal height, with a margin. */
interface InSight {
  start: number
  /** exclusive */
  end: number
}

interface Rows {
  /** the scrolling element */
  container: RefObject<HTMLElement | null>
  count: number
  /** px; includes the gap after a row */
  rowHeight: number
  /** rows to draw beyond each edge */
  around?: number
  /** rows to draw before the visible range is known */
  first?: number
}

/**
 * Tracks the visible range of a long list, so that only that range is drawn. Use an element of height `count * rowHeight`, with
 * each row at `place * rowHeight`.
 */
export function useInSight({ container, count, rowHeight, around = 6, first = 40 }: Rows): Signal<InSight> {
  const inSight = useSignal<InSight>({ start: 0, end: Math.min(count, first) })
  useLayoutEffect(() => {
    const scrolled = container.current
    if (!scrolled) return
    const look = () => {
      const start = Math.max(0, Math.floor(scrolled.scrollTop / rowHeight) - around)
      const end = Math.min(count, Math.ceil((scrolled.scrollTop + scrolled.clientHeight) / rowHeight) + around)
      const { start: startNow, end: endNow } = inSight.peek()
      if (start !== startNow || end !== endNow) inSight.value = { start, end }
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(scrolled)
    scrolled.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      scrolled.removeEventListener('scroll', look)
    }
  }, [count, rowHeight])
  return inSight
}
