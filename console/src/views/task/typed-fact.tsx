import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { dayText } from '../../parts/format.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import { EditOutcome } from './outcome.tsx'
import { isSame, type SaveState } from './saving.ts'
import { type Base, useTyped } from './unsaved-text.ts'

interface TypedFactProps<V> {
  desk: Desk
  /** names the draft */
  what: string
  label: string
  saving: SaveState<V>
  base: Base<V>
  textOf: (value: V) => string
  /** the value of the text, or its problem */
  read: (text: string) => V | { problem: string }
  type?: 'date' | 'text'
  placeholder?: string
}

/** A short field that is saved on Enter or when it loses the focus. */
export function TypedFact<V>({
  desk,
  what,
  label,
  saving,
  base,
  textOf,
  read,
  type = 'text',
  placeholder,
}: TypedFactProps<V>) {
  const typed = useTyped(`task.${desk.task.id}.${what}`)
  const problem = useSignal('')
  const id = useId()
  const text = typed.now.value?.text ?? textOf(base.value)
  const forget = () => {
    problem.value = ''
    typed.clear()
  }
  const save = async () => {
    const unsaved = typed.now.peek()
    if (unsaved === undefined || saving.state.peek().isBusy) return
    const value = read(unsaved.text)
    if (typeof value === 'object' && value !== null && 'problem' in value) {
      problem.value = value.problem
      return
    }
    const begunWith = unsaved.base ?? { version: base.version, value: textOf(base.value) }
    if (isSame(value, base.value)) return forget()
    // the buttons that resolve a conflict take the focus from here
    const { theirs, wanted } = saving.state.peek()
    if (theirs !== undefined && isSame(value, wanted)) return
    // a value that others changed meanwhile is not the starting point
    const over = begunWith.value === textOf(base.value) ? base : { ...begunWith, value: read(begunWith.value) as V }
    if (await saving.save(value as V, over)) forget()
  }
  const attributes = {
    ...{ id, placeholder, value: text, readOnly: saving.state.value.isBusy },
    ...{ 'aria-invalid': problem.value !== '', 'aria-describedby': `${id}-problem` },
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      problem.value = ''
      const begunWith = { version: base.version, value: textOf(base.value) }
      typed.type(currentTarget.value, typed.now.peek()?.base ?? begunWith)
    },
    onBlur: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      // an incomplete date is not an empty one
      if (currentTarget.validity.badInput) problem.value = words.task.noDay
      else void save()
    },
    onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
      if (event.key === 'Enter' && !event.currentTarget.validity.badInput) void save()
      if (event.key !== 'Escape' || typed.now.peek() === undefined) return
      event.preventDefault()
      event.stopPropagation()
      saving.settle()
      forget()
    },
  }
  if (desk.whyNot !== undefined)
    return (
      <div class="fact">
        <dt>{label}</dt>
        <dd>
          {type === 'date' && base.value !== null ? dayText(textOf(base.value)) : textOf(base.value) || words.task.none}
        </dd>
      </div>
    )
  return (
    <div class="fact" aria-busy={saving.state.value.isBusy}>
      <dt>
        <label htmlFor={id}>{label}</label>
      </dt>
      <dd>
        {type === 'date' ? <input type="date" {...attributes} /> : <input type="text" {...attributes} />}
        <p id={`${id}-problem`} class="failure small" role="alert">
          {problem.value}
        </p>
        <EditOutcome
          {...{ saving, label, onTheirs: forget, onSaved: forget, onAgain: () => void save() }}
          show={(value) => textOf(value) || '–'}
        />
      </dd>
    </div>
  )
}
