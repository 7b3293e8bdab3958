import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words.ts'
import { Dialog } from './dialog.tsx'

interface SecretOnceProps {
  title: string
  secret: string
  /** what it is for */
  children: ComponentChildren
  /** its owner forgets it */
  onClose: () => void
}

/** A secret that is shown this once. Only saying that it is kept closes it, as nothing brings it back. */
export function SecretOnce({ title, secret, children, onClose }: SecretOnceProps) {
  const said = useSignal('')
  const box = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // the dialog around it opens after this, and looks for it
    if (first.current) first.current.autofocus = true
  }, [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      said.value = words.secret.copied
    } catch {
      // where the page may not write there, as over http, it is marked for who copies it
      box.current?.select()
      said.value = words.secret.marked
    }
  }
  const stay = () => {
    said.value = words.secret.keepFirst
    return false
  }
  return (
    <Dialog title={title} onClose={onClose} mayClose={stay}>
      <div class="form">
        {children}
        <p>{words.secret.once}</p>
        <label class="field">
          <span>{words.secret.label}</span>
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
            {words.secret.kept}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
