import { isReachable } from '../live/reachable.ts'
import { words } from '../words.ts'

/** Says that the server does not answer, for as long as it does not. */
export function Offline() {
  if (isReachable.value) return null
  return (
    <p class="offline" role="alert">
      {words.frame.offline}
    </p>
  )
}
