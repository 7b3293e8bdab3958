import { useSignal } from '@preact/signals'
import { ApiError, TaskwrightError, ValidationFailedError } from '@taskwright/client'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { act, type IdempotencyOption, type Outcome } from '../act/act.ts'
import { useDraft } from '../act/drafts.ts'
import { failureSentence } from '../act/failures.ts'
import { words } from '../words.ts'

/** A form's state. It stays in this tab until it is sent or discarded, also when the key is refused. */
export interface Form<T extends object> {
  values: T
  /** the values before any change */
  began: T
  /** whether the user changed a value */
  isTouched: boolean
  isBusy: boolean
  error: unknown
  set(change: Partial<T>): void
  /** sends the values; the form shows a failure */
  send<R>(write: (values: T, once: IdempotencyOption) => PromiseLike<R>, said?: string): Promise<Outcome<R>>
  /** discards the values */
  clear(): void
}

/** The stored draft of a changed form. */
interface StoredForm<T> {
  began: T
  typed: Partial<T>
  /** the idempotency key of a request whose effect is unknown */
  idempotencyKey?: string | undefined
}

/**
 * A form with its values.
 * @param what names the draft, such as `key` or `project.<id>`
 */
export function useForm<T extends object>(what: string, initial: T): Form<T> {
  const draft = useDraft(`form.${what}`)
  const isBusy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const kept = keptIn<T>(draft.typed.value)
  const { began, typed } = kept ?? { began: initial, typed: {} }
  const keep = (next: StoredForm<T>) => draft.type(JSON.stringify(next))
  return {
    ...{ values: { ...began, ...typed }, began, isBusy: isBusy.value, error: error.value },
    isTouched: Object.keys(typed).length > 0,
    set(change) {
      const now = keptIn<T>(draft.typed.value) ?? { began: initial, typed: {} }
      // changed content is a new request and needs a new key
      keep({ began: now.began, typed: { ...now.typed, ...change } })
    },
    async send(write, said) {
      isBusy.value = true
      const sent = draft.typed.value
      const ways = { isQuiet: true, ...(said !== undefined && { said }) }
      const once = kept?.idempotencyKey === undefined ? undefined : { idempotencyKey: kept.idempotencyKey }
      const outcome = await act((key) => write({ ...began, ...typed }, key), ways, once)
      isBusy.value = false
      if (outcome.done) {
        error.value = undefined
        draft.clear()
        return outcome
      }
      error.value = outcome.error
      const idempotencyKey = keyOfUnanswered(outcome.error)
      // values that changed meanwhile are a new request
      if (draft.typed.value === sent && (sent ?? idempotencyKey) !== undefined) keep({ began, typed, idempotencyKey })
      return outcome
    },
    clear() {
      error.value = undefined
      draft.clear()
    },
  }
}

// A refusal would be replayed under its key, so drop the key. Without a response, keep it: the request must take effect once.
function keyOfUnanswered(error: unknown): string | undefined {
  const wasAnswered = error instanceof ApiError && error.status < 500 && error.status !== 429
  return wasAnswered || !(error instanceof TaskwrightError) ? undefined : error.idempotencyKey
}

function keptIn<T extends object>(text: string | undefined): StoredForm<T> | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const Fields = createContext<{ error: unknown; names: Set<string> }>({ error: undefined, names: new Set() })

interface FormBoxProps {
  error: unknown
  isBusy: boolean
  /** the label of the submit button */
  submit: string
  onSubmit: () => void
  onCancel?: () => void
  isDangerous?: boolean
  children: ComponentChildren
}

/** A drawn form: its fields, the reason for a refusal, and its buttons. */
export function FormBox({ error, isBusy, submit, onSubmit, onCancel, isDangerous, children }: FormBoxProps) {
  const box = useRef<HTMLFormElement>(null)
  const fields = useRef({ error, names: new Set<string>() })
  // a context informs its consumers only of a new object
  if (fields.current.error !== error) fields.current = { ...fields.current, error }
  useLayoutEffect(() => {
    const [first] = box.current?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []
    const [last] = [...(box.current?.querySelectorAll('button') ?? [])].slice(-1)
    // a surrounding dialog opens after this and looks for `autofocus`
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

/** The failure, without the parts that fields show. */
function sentenceBeside(error: unknown, names: ReadonlySet<string>): string {
  if (!(error instanceof ValidationFailedError)) return failureSentence(error)
  const others = Object.entries(error.fieldErrors).filter(([path]) => !names.has(path.split('.')[0] ?? ''))
  return [...error.formErrors, ...others.map(([path, said]) => `${path}: ${said.join(', ')}.`)].join(' ')
}

interface FieldProps {
  /** the name in the API, to find its error */
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

/** A field with its label and its error. */
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
