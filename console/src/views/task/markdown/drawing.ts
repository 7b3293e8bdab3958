import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'

// A normal page is drawn at once. A page of very long texts is drawn in steps and stays usable meanwhile.
const charactersAtOnce = 20_000

let left = charactersAtOnce
const waiting = new Set<() => void>()
let isScheduled = false

/** The drawn text. @returns undefined until it is drawn */
export function useDrawn(text: string, draw: (text: string) => ComponentChildren): ComponentChildren {
  const turn = useSignal(0)
  const drawn = useMemo(() => (take(text) ? draw(text) : undefined), [text, turn.value])
  const isWaiting = drawn === undefined
  useEffect(() => {
    if (!isWaiting) return
    const go = () => {
      turn.value++
    }
    waiting.add(go)
    schedule()
    return () => void waiting.delete(go)
  }, [isWaiting, text])
  return drawn
}

/** Takes a text's length from the current step's budget. @returns whether it fits */
function take({ length }: string): boolean {
  schedule()
  if (left < charactersAtOnce && length > left) return false
  left -= length
  return true
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setTimeout(next)
}

function next(): void {
  isScheduled = false
  left = charactersAtOnce
  const [first] = waiting
  if (first === undefined) return
  waiting.delete(first)
  schedule()
  first()
}
