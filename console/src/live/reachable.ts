import { signal } from '@preact/signals'

/** Whether the server sent a response to the latest request. */
export const isReachable = signal(navigator.onLine)

/** Whether the event stream is open, so that changes by others arrive at once. */
export const isLive = signal(false)

/** Records a response. */
export function noteAnswer(url: string, answer: Response): void {
  // a proxy sends these when the server behind it is down
  isReachable.value = ![502, 504].includes(answer.status)
  if (answer.ok && answer.headers.get('content-type')?.startsWith('text/event-stream')) isLive.value = true
  if (url.includes('/events') && !answer.ok) isLive.value = false
}

/** Records a request without a response. */
export function noteNoAnswer(): void {
  isReachable.value = false
}
