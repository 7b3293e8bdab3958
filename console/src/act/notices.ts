import { signal } from '@preact/signals'

/** A sentence at the bottom of the page, with an optional action. */
export interface Notice {
  id: number
  text: string
  isFailure: boolean
  action: { label: string; run: () => void } | undefined
}

/** The notices on the page, oldest first. */
export const notices = signal<readonly Notice[]>([])

const mostAtOnce = 4
let lastId = 0

/** Shows a notice. A failure stays until the user dismisses it; other notices disappear (see `parts/notices.tsx`). */
export function tell(text: string, { isFailure = false, action }: Partial<Omit<Notice, 'id' | 'text'>> = {}): number {
  const id = ++lastId
  const others = notices.value.filter((notice) => notice.text !== text)
  notices.value = [...others, { id, text, isFailure, action }].slice(-mostAtOnce)
  return id
}

/** Removes a notice. */
export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

/** Removes all notices, for example when another member signs in. */
export function clearNotices(): void {
  notices.value = []
}
