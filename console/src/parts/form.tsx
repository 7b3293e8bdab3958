import { useSignal } from '@preact/signals'
import { ApiError, TaskwrightError, ValidationFailedError } from '@taskwright/client'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { act, type Once, type Outcome } from '../act/act.ts'
import { useDraft } from '../act/drafts.ts'
import { failureSentence } from '../act/failures.ts'
import { words } from '../words.ts'

/** What somebody fills in. It stays in this tab until it is sent or given up, also when the key is refused meanwhile. */
export interface Form<T extends object> {
  values: T
  /** whether anything was changed */
  isTouched: boolean
  isBusy: boolean
  error: unknown
  set(change: Partial<T>): void
  /** sends it; what fails is shown in the form */
  send<R>(write: (values: T, once: Once) => PromiseLike<R>, said?: string): Promise<Outcome<R>>
  /** forgets what was typed */
  clear(): void
}

/**
 * A form with its values.
 * @param what names it, such as `key` or `project.<id>`
 */
export function useForm<T extends object>(what: string, initial: T): Form<T> {
  const draft = useDraft(`form.${what}`)
  const isBusy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const once = useRef<Once | undefined>(undefined)
  const typed = draft.typed.value
  const values: T = { ...initial, ...readDraft<T>(typed) }
  return {
    ...{ values, isTouched: typed !== undefined, isBusy: isBusy.value, error: error.value },
    set(change) {
      // other content is another request
      once.current = undefined
      draft.type(JSON.stringify({ ...readDraft<T>(draft.typed.value), ...change }))
    },
    async send(write, said) {
      isBusy.value = true
      const ways = { isQuiet: true, ...(said !== undefined && { said }) }
      const outcome = await act((key) => write(values, key), ways, once.current)
      isBusy.value = false
      error.value = outcome.done ? undefined : outcome.error
      once.current = outcome.done ? undefined : unanswered(outcome.error)
      if (outcome.done) draft.clear()
      return outcome
    },
    clear() {
      error.value = undefined
      once.current = undefined
      draft.clear()
    },
  }
}

// what was refused would be refused again under its key; what was not answered is to take effect once
function unanswered(error: unknown): Once | undefined {
  const wasAnswered = error instanceof ApiError && error.status < 500 && error.status !== 429
  const key = error instanceof TaskwrightError ? error.idempotencyKey : undefined
  return wasAnswered || key === undefined ? undefined : { idempotencyKey: key }
}

function readDraft<T extends object>(text: string | undefined): Partial<T> {
  try {
    return text === undefined ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}

const Fields = createContext<{ error: unknown; names: Set<string> }>({ error: undefined, names: new Set() })

interface FormBoxProps {
  error: unknown
  isBusy: boolean
  /** what the button says */
  submit: string
  onSubmit: () => void
  onCancel?: () => void
  isDangerous?: boolean
  children: ComponentChildren
}

/** A form as it is drawn: its fields, why it was refused, and its buttons. */
export function FormBox({ error, isBusy, submit, onSubmit, onCancel, isDangerous, children }: FormBoxProps) {
  const box = useRef<HTMLFormElement>(null)
  const fields = useRef({ error, names: new Set<string>() })
  // a context tells its fields by another value
  if (fields.current.error !== error) fields.current = { ...fields.current, error }
  useLayoutEffect(() => {
    const [first] = box.current?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []
    const [last] = [...(box.current?.querySelectorAll('button') ?? [])].slice(-1)
    // a dialog around it opens after this, and looks for it
    for (const place of [first ?? last]) if (place) place.autofocus = true
  }, [])
  useEffect(() => {
    if (error !== undefined) box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return (
    <form
      ref={box}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    >
      <Fields.Provider value={fields.current}>{children}</Fields.Provider>
      <p class="failure" role="alert">
        {error === undefined ? '' : sentenceBeside(error, fields.current.names)}
      </p>
      <div class="buttons">
        <button class={isDangerous ? 'dangerous' : 'primary'} type="submit" aria-disabled={isBusy}>
          {isBusy ? words.frame.underWay : submit}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {words.dialog.cancel}
          </button>
        )}
      </div>
    </form>
  )
}

/** What is wrong beyond what stands beside the fields. */
function sentenceBeside(error: unknown, names: ReadonlySet<string>): string {
  if (!(error instanceof ValidationFailedError)) return failureSentence(error)
  const others = Object.entries(error.fieldErrors).filter(([path]) => !names.has(path.split('.')[0] ?? ''))
  return [...error.formErrors, ...others.map(([path, said]) => `${path}: ${said.join(', ')}.`)].join(' ')
}

interface FieldProps {
  /** as the API calls it, to find what it says of it */
  name: string
  label: string
  hint?: ComponentChildren
  children: (attributes: FieldAttributes) => JSX.Element
}

interface FieldAttributes {
  id: string
  'aria-describedby': string
  'aria-invalid': boolean
}

/** One field of a form under its label, with what is wrong with it. */
export function Field({ name, label, hint, children }: FieldProps) {
  const { error, names } = useContext(Fields)
  names.add(name)
  const id = useId()
  const wrong =
    error instanceof ApiError
      ? Object.entries(error.fieldErrors).flatMap(([path, said]) => (path.split('.')[0] === name ? said : []))
      : []
  return (
    <div class="form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint ${id}-wrong`, 'aria-invalid': wrong.length > 0 })}
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
      <p id={`${id}-wrong`} class="failure small">
        {wrong.join(' ')}
      </p>
    </div>
  )
}
