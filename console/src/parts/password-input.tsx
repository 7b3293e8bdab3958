import type { JSX } from 'preact'

interface PasswordInputProps {
  attributes: Pick<JSX.IntrinsicElements['input'], 'id' | 'aria-describedby' | 'aria-invalid'>
  isShown: boolean
  value: string
  onType: (value: string) => void
}

/** A field for a new password, hidden or shown as text. */
export function PasswordInput({ attributes, isShown, value, onType }: PasswordInputProps) {
  const field = {
    ...attributes,
    name: 'new-password',
    autocomplete: 'new-password',
    autocapitalize: 'off',
    spellcheck: false,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onType(currentTarget.value),
  } as const
  return isShown ? <input {...field} type="text" /> : <input {...field} type="password" />
}
