import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'

// Texts of an ordinary page are drawn at once; a page of very long ones is drawn bit by bit and can be used meanwhile.
const charactersAtOnce = 20_000

let left = charactersAtOnce
const waiting = new Set<() => void>()
let isScheduled = false

/** What a text is drawn as. @returns undefined until its turn comes */
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

/** Takes the characters of a text from what may still be drawn before the page gets a turn. */
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
