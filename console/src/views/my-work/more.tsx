import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { failureSentence } from '../../act/failures.ts'
import type { Loaded } from '../../live/loaded.ts'
import { words } from '../../words.ts'
import { type PersonalWork, readOn } from './work.ts'

/** Reads the next page when the user comes near the end of the list. */
export function More({ work, change }: { work: PersonalWork; change: Loaded<PersonalWork>['change'] }) {
  const end = useRef<HTMLParagraphElement>(null)
  const isReading = useSignal(false)
  const trouble = useSignal('')
  const read = async () => {
    if (isReading.peek()) return
    isReading.value = true
    trouble.value = ''
    try {
      change(await readOn(work, new AbortController().signal))
    } catch (error) {
      trouble.value = failureSentence(error)
    }
    isReading.value = false
  }
  // watch again after each read: an old observer would repeat the previous page
  useLayoutEffect(() => {
    const watching = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) void read()
      },
      { rootMargin: '400px' },
    )
    if (end.current) watching.observe(end.current)
    return () => watching.disconnect()
  }, [work])
  return (
    <p ref={end}>
      <span role="status">{isReading.value ? words.frame.loading : words.myWork.first(work.tasks.length)} </span>
      <span class="failure" role="alert">
        {trouble.value}
      </span>
      {!isReading.value && (
        <button type="button" onClick={() => void read()}>
          {words.myWork.more}
        </button>
      )}
    </p>
  )
}
