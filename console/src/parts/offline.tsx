import { isReachable } from '../live/reachable.ts'
import { words } from '../words.ts'

/** Shows that the server is unreachable. */
export function Offline() {
  if (isReachable.value) return null
  return (
    <p class="offline" role="alert">
      {words.frame.offline}
    </p>
  )
}
