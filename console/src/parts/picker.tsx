import { batch, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { failureSentence } from '../act/failures.ts'
import { words } from '../words.ts'
import { placeBeside } from './placing.ts'

/** An option of a picker. */
export interface Option {
  id: string
  label: string
}

interface PickerProps {
  /** the label, such as `Assignees` */
  label: string
  chosen: readonly Option[]
  /** finds options by typed text; without text, the first ones of all */
  find: (typed: string, signal: AbortSignal) => PromiseLike<readonly Option[]>
  onChange: (chosen: readonly Option[]) => void
  /** allows one choice, which closes the list */
  isSingle?: boolean
  /** the button's text while nothing is chosen */
  none?: string
  isDisabled?: boolean
}

const pauseMs = 120
// the height of a full list, because the results arrive after the list opens
const fullPx = 360

/** A button with the current choice. It opens a searchable list: a combobox with a listbox. */
export function Picker({
  label,
  chosen,
  find,
  onChange,
  isSingle = false,
  none = label,
  isDisabled = false,
}: PickerProps) {
  const id = useId()
  const isOpen = useSignal(false)
  const typed = useSignal('')
  const found = useSignal<readonly Option[]>([])
  /** the text of the current results */
  const answered = useSignal<string | undefined>(undefined)
  const isEntered = useRef(false)
  const trouble = useSignal('')
  const at = useSignal(0)
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!isOpen.value) return
    const attempt = new AbortController()
    const timer = setTimeout(
      async () => {
        const text = typed.value
        try {
          const options = await find(text.trim(), attempt.signal)
          batch(() => {
            found.value = options
            answered.value = text
            at.value = 0
            trouble.value = ''
          })
        } catch (error) {
          if (attempt.signal.aborted) return
          isEntered.current = false
          trouble.value = failureSentence(error)
        }
      },
      typed.value === '' ? 0 : pauseMs,
    )
    return () => {
      attempt.abort()
      clearTimeout(timer)
    }
  }, [isOpen.value, typed.value])

  // a layout effect, so that the field has the focus before the next key press
  useLayoutEffect(() => {
    if (input.current) input.current.autofocus = true
  }, [])

  const forget = () => {
    typed.value = ''
    answered.value = undefined
    isEntered.current = false
  }
  const isChosen = ({ id }: Option) => chosen.some((each) => each.id === id)
  // list chosen options first, so that the user can remove them even if the search does not find them
  const options = typed.value === '' ? [...chosen, ...found.value.filter((option) => !isChosen(option))] : found.value
  const choose = (option: Option) => {
    if (isSingle) {
      popover.current?.hidePopover()
      button.current?.focus()
      onChange(isChosen(option) ? [] : [option])
    } else onChange(isChosen(option) ? chosen.filter(({ id }) => id !== option.id) : [...chosen, option])
  }
  const isAnswered = answered.value === typed.value
  // Enter chooses from the results of the text before it, so it waits for them
  useLayoutEffect(() => {
    if (!isAnswered || !isEntered.current) return
    isEntered.current = false
    const [first] = options
    if (first) choose(first)
  }, [isAnswered])
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const option = options[at.value]
    if (step !== undefined && options.length > 0) at.value = (at.value + step + options.length) % options.length
    else if (event.key !== 'Enter' || event.isComposing) return
    else if (!isAnswered) isEntered.current = true
    else if (option) choose(option)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`picker ${chosen.length > 0 ? 'chosen' : ''}`}
        popovertarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        disabled={isDisabled}
      >
        <span class="visually-hidden">{label}: </span>
        <span dir="auto">{chosen.length === 0 ? none : chosen.map((option) => option.label).join(', ')}</span>
      </button>
      <div
        ref={popover}
        id={id}
        class="menu picking"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={({ newState }) => {
          isOpen.value = newState === 'open'
          if (newState !== 'open') forget()
          if (newState !== 'open' || !popover.current || !button.current) return
          placeBeside(popover.current, button.current, fullPx)
          input.current?.focus()
        }}
      >
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={options[at.value] && `${id}-${options[at.value]?.id}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder={words.picker.type}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            isEntered.current = false
          }}
          onKeyDown={pressed}
        />
        <div id={`${id}-list`} role="listbox" aria-label={label} aria-multiselectable={!isSingle} class="choices">
          {options.map((option, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus, and its keys choose
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={isChosen(option)}
              class={place === at.value ? 'current' : ''}
              onClick={() => choose(option)}
            >
              <span dir="auto">{option.label}</span>
            </div>
          ))}
        </div>
        <p class="quiet small" role="status">
          {trouble.value || (isOpen.value && isAnswered && options.length === 0 ? words.picker.nothing : '')}
        </p>
      </div>
    </>
  )
}
