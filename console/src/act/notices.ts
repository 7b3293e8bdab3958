import { signal } from '@preact/signals'

/** A sentence at the foot of the page, with what can be done about it. */
export interface Notice {
  id: number
  text: string
  isFailure: boolean
  action: { label: string; run: () => void } | undefined
}

/** What is told just now, oldest first. */
export const notices = signal<readonly Notice[]>([])

const mostAtOnce = 4
let lastId = 0

/** Tells something. What failed stays until it is dismissed; the rest goes by itself (see `parts/notices.tsx`). */
export function tell(text: string, { isFailure = false, action }: Partial<Omit<Notice, 'id' | 'text'>> = {}): number {
  const id = ++lastId
  const others = notices.value.filter((notice) => notice.text !== text)
  notices.value = [...others, { id, text, isFailure, action }].slice(-mostAtOnce)
  return id
}

/** Takes a notice away. */
export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

/** Takes all away, as when somebody else signs in. */
export function clearNotices(): void {
  notices.value = []
}
