import type { ComponentChildren, RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { IdempotencyOption } from '../../act/act.ts'
import { noteFocus } from '../../parts/focus.ts'
import { words } from '../../words.ts'
import { useWriting } from './writing.ts'

interface AddLineProps {
  /** names the draft */
  what: string
  label: string
  submit: string
  input?: RefObject<HTMLInputElement | null>
  placeholder?: string
  /** the problem of a text; '' for none */
  problemOf?: (text: string) => string
  write: (text: string, once: IdempotencyOption) => PromiseLike<unknown>
  /** shown between the input and its button */
  children?: ComponentChildren
}

/** A line to create something; afterwards it is ready for the next one. */
export function AddLine({ what, label, submit, input, placeholder, problemOf, write, children }: AddLineProps) {
  const { typed, isBusy, sentence, send } = useWriting(what)
  const own = useRef<HTMLInputElement>(null)
  const field = input ?? own
  const text = typed.now.value?.text ?? ''
  const problem = text.trim() === '' ? '' : (problemOf?.(text) ?? '')
  const add = async () => {
    const mayFocus = noteFocus()
    if (problem === '') await send(write)
    if (mayFocus()) field.current?.focus()
  }
  return (
    <form
      class="add-line"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <input
        {...{ ref: field, 'aria-label': label, placeholder: placeholder ?? label, value: text, maxLength: 255 }}
        dir="auto"
        autocomplete="off"
        aria-busy={isBusy.value}
        onInput={(event) => typed.type(event.currentTarget.value)}
      />
      {children}
      <button type="submit" aria-disabled={isBusy.value}>
        {isBusy.value ? words.frame.underWay : sentence.value === '' ? submit : words.notices.again}
      </button>
      <p class="failure small" role="alert">
        {sentence.value || (problem && typed.now.value ? problem : '')}
      </p>
    </form>
  )
}
