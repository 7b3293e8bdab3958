import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words.ts'
import { Dialog } from './dialog.tsx'

interface SecretOnceProps {
  title: string
  /** of the field, such as Link */
  label?: string
  secret: string
  /** the secret also reaches the recipient in another way, so that nobody has to copy it */
  isSpare?: boolean
  /** explains the purpose of the secret */
  children: ComponentChildren
  /** must forget the secret */
  onClose: () => void
}

/** Shows a secret once. Unless it is spare, only the confirmation button closes it, because nothing can show it again. */
export function SecretOnce({
  title,
  label = words.secret.label,
  secret,
  isSpare = false,
  children,
  onClose,
}: SecretOnceProps) {
  const said = useSignal('')
  const box = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // a surrounding dialog opens after this and looks for `autofocus`
    if (first.current) first.current.autofocus = true
  }, [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      said.value = words.secret.copied
    } catch {
      // without a clipboard, as over http: select the text, so that the user can copy it
      box.current?.select()
      said.value = words.secret.marked
    }
  }
  const stay = () => {
    if (!isSpare) said.value = words.secret.keepFirst
    return isSpare
  }
  return (
    <Dialog title={title} onClose={onClose} mayClose={stay}>
      <div class="form">
        {children}
        {!isSpare && <p>{words.secret.once}</p>}
        <label class="field">
          <span>{label}</span>
          <input ref={box} class="secret-once" readOnly value={secret} autocomplete="off" spellcheck={false} />
        </label>
        <p class="quiet" role="status">
          {said.value}
        </p>
        <div class="buttons">
          <button ref={first} type="button" class="primary" onClick={() => void copy()}>
            {words.secret.copy}
          </button>
          <button type="button" onClick={onClose}>
            {isSpare ? words.secret.done : words.secret.kept}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
