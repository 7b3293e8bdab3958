import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

const usable = 'a, input'

/** When the focused line disappears, the line in its place gets the focus. @param shown the source of the lines */
export function useFocusKept(list: RefObject<HTMLElement | null>, shown: unknown): void {
  const at = useRef<{ line: number; element: Element } | undefined>(undefined)
  const lines = () => [...(list.current?.querySelectorAll('[data-line]') ?? [])]
  useLayoutEffect(() => {
    const entered = ({ target }: FocusEvent) => {
      const element = target as Element
      const line = list.current?.contains(element) ? element.closest('[data-line]') : null
      at.current = line ? { line: lines().indexOf(line), element } : undefined
    }
    document.addEventListener('focusin', entered)
    return () => document.removeEventListener('focusin', entered)
  }, [])
  useLayoutEffect(() => {
    if (!at.current || at.current.element.isConnected || document.activeElement !== document.body) return
    const line = lines().at(Math.min(at.current.line, lines().length - 1))
    const next = line?.querySelector<HTMLElement>('input') ?? line?.querySelector<HTMLElement>(usable)
    const place = next ?? document.getElementById('content')
    place?.focus()
  }, [shown])
}
