import { useEffect, useRef } from 'preact/hooks'
import { dismiss, type Notice, notices } from '../act/notices.ts'
import { words } from '../words.ts'

/** The notices at the bottom of the page. Screen readers announce them. They stay while the pointer is over them. */
export function Notices() {
  return (
    <section class="notices" aria-label={words.notices.title} aria-live="polite">
      {notices.value.map((notice) => (
        <Line key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

// long enough to read the notice and press Undo
const shownMs = 10_000

function Line({ notice: { id, text, isFailure, action } }: { notice: Notice }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const wait = () => {
    if (!isFailure) timer.current = setTimeout(() => dismiss(id), shownMs)
  }
  const stay = () => clearTimeout(timer.current)
  useEffect(() => {
    wait()
    return stay
  }, [])
  return (
    <div
      class={`notice ${isFailure ? 'failure' : ''}`}
      onPointerEnter={stay}
      onPointerLeave={wait}
      onFocusCapture={stay}
      onBlurCapture={wait}
    >
      <p role={isFailure ? 'alert' : 'status'}>{text}</p>
      {action && (
        <button
          type="button"
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" class="icon" aria-label={words.notices.dismiss} onClick={() => dismiss(id)}>
        ×
      </button>
    </div>
  )
}
