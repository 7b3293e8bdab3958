import { signal } from '@preact/signals'

/** Whether the server answered last time. */
export const isReachable = signal(navigator.onLine)

/** Whether what others do comes at once. */
export const isLive = signal(false)

/** An answer came. */
export function noteAnswer(url: string, answer: Response): void {
  // a proxy in front of a server that is gone
  isReachable.value = ![502, 504].includes(answer.status)
  if (answer.ok && answer.headers.get('content-type')?.startsWith('text/event-stream')) isLive.value = true
  if (url.includes('/events') && !answer.ok) isLive.value = false
}

/** No answer came. */
export function noteNoAnswer(): void {
  isReachable.value = false
}
