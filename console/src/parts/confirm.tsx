import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { act, type IdempotencyOption } from '../act/act.ts'
import { Dialog } from './dialog.tsx'
import { FormBox } from './form.tsx'

interface ConfirmProps {
  title: string
  /** describes the effect */
  children: ComponentChildren
  submit: string
  isDangerous?: boolean
  write: (once: IdempotencyOption) => PromiseLike<unknown>
  said?: string
  undo?: () => PromiseLike<unknown>
  onClose: () => void
  onDone?: () => void
}

/** Asks before an act and describes its effect. Shows a failure inside the dialog. */
export function Confirm({ title, children, submit, isDangerous, write, said, undo, onClose, onDone }: ConfirmProps) {
  const isBusy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const run = async () => {
    isBusy.value = true
    const outcome = await act(write, { isQuiet: true, ...(said && { said }), ...(undo && { undo }) })
    isBusy.value = false
    error.value = outcome.done ? undefined : outcome.error
    if (!outcome.done) return
    onClose()
    onDone?.()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <FormBox
        {...{ error: error.value, isBusy: isBusy.value, submit, onCancel: onClose }}
        isDangerous={isDangerous ?? false}
        onSubmit={() => void run()}
      >
        {children}
      </FormBox>
    </Dialog>
  )
}
