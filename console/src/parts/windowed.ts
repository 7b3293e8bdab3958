import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Which of many rows of equal height are in sight, and a few around them. */
interface InSight {
  start: number
  /** behind the last one */
  end: number
}

interface Rows {
  /** what scrolls */
  container: RefObject<HTMLElement | null>
  count: number
  /** px; of a row with the space behind it */
  rowHeight: number
  /** how many rows are drawn beyond each edge */
  around?: number
  /** how many rows are drawn before it is known how many are in sight */
  first?: number
}

/**
 * Follows what of a long list is in sight, so that no more than that is drawn. Put it into an element of `count * rowHeight`, each
 * row at `place * rowHeight`.
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
