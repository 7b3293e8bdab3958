import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../../words.ts'
import { Markdown } from './markdown/markdown.tsx'

interface EditorProps {
  label: string
  text: string
  isChanged: boolean
  isBusy: boolean
  submit: string
  onType: (text: string) => void
  onSave: () => void
  /** closes the editor and discards its text */
  onLeave: () => void
  /** one line: Enter saves */
  isLine?: boolean
  /** takes the focus at once */
  isFocused?: boolean
  /** the user can continue typing during a save */
  isOpenEnded?: boolean
  placeholder?: string
  most?: number
}

/** A text field. Ctrl+Enter saves. Escape closes it, and asks before text is lost. */
export function Editor(props: EditorProps) {
  const { label, text, isChanged, isBusy, submit, onType, onSave, onLeave, isLine = false, isFocused = true } = props
  const { placeholder, most, isOpenEnded = false } = props
  const isAsking = useSignal(false)
  const isPreview = useSignal(false)
  const input = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  // a layout effect, to act before the next key press
  useLayoutEffect(() => {
    if (!isFocused) return
    input.current?.focus()
    input.current?.setSelectionRange(text.length, text.length)
  }, [])
  const leave = () => {
    isAsking.value = false
    onLeave()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      // do not close the panel
      event.preventDefault()
      event.stopPropagation()
      if (isChanged && text.trim() !== '') isAsking.value = true
      else leave()
    } else if (event.key === 'Enter' && (isLine || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (!isBusy) onSave()
    }
  }
  const attributes = {
    ...{ ref: input, 'aria-label': label, dir: 'auto' as const, value: text, placeholder, maxLength: most },
    ...{ readOnly: isBusy && !isOpenEnded, 'aria-busy': isBusy, onKeyDown: pressed },
    onInput: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
  }
  return (
    <div class="editor">
      {isPreview.value ? (
        <div class="preview">
          <Markdown text={text} />
        </div>
      ) : isLine ? (
        <input {...attributes} />
      ) : (
        <textarea {...attributes} rows={Math.min(20, Math.max(3, text.split('\n').length + 1))} />
      )}
      {isAsking.value ? (
        <div class="buttons">
          <p role="alert">{words.task.unsaved}</p>
          <AskButtons
            onLeave={leave}
            onStay={() => {
              isAsking.value = false
              input.current?.focus()
            }}
          />
        </div>
      ) : (
        <div class="buttons">
          <button type="button" class="primary" aria-disabled={isBusy} onClick={() => !isBusy && onSave()}>
            {isBusy ? words.frame.underWay : submit}
          </button>
          {(isChanged || isFocused) && (
            <button type="button" onClick={leave}>
              {isChanged ? words.task.throwAway : words.dialog.cancel}
            </button>
          )}
          {!isLine && (
            <button
              type="button"
              class="plain"
              aria-pressed={isPreview.value}
              onClick={() => {
                isPreview.value = !isPreview.value
              }}
            >
              {words.task.preview}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function AskButtons({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const stay = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => stay.current?.focus(), [])
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onStay()
  }
  return (
    <>
      <button ref={stay} type="button" onClick={onStay} onKeyDown={pressed}>
        {words.task.goOn}
      </button>
      <button type="button" class="dangerous" onClick={onLeave} onKeyDown={pressed}>
        {words.task.throwAway}
      </button>
    </>
  )
}
