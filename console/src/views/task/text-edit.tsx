import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../../words.ts'
import { Editor } from './editor.tsx'
import { EditOutcome } from './outcome.tsx'
import { isSame, type SaveState } from './saving.ts'
import { type Base, useTyped } from './unsaved-text.ts'

interface TextEdit {
  /** names the draft */
  what: string
  base: Base<string>
  saving: SaveState<string>
  label: string
  isLine?: boolean
  most: number
}

/** @returns the editor while the user edits, and a function that starts an edit */
export function useTextEdit({ what, base, saving, label, isLine = false, most }: TextEdit) {
  const typed = useTyped(what)
  const isOpened = useSignal(false)
  const opener = useRef<HTMLButtonElement>(null)
  const unsaved = typed.now.value
  const isOpen = isOpened.value || unsaved !== undefined
  const close = () => {
    typed.clear()
    saving.settle()
    isOpened.value = false
  }
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    // do not take the focus from a user who moved it during the save
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const begunWith = unsaved?.base ?? base
  // changes to other fields are no reason to ask
  const over = isSame(begunWith.value, base.value) ? base : begunWith
  const text = unsaved?.text ?? base.value
  const isChanged = unsaved !== undefined && unsaved.text !== begunWith.value
  const save = async () => {
    if (!isChanged) return close()
    if (await saving.save(text.trim(), over)) close()
  }
  const { isBusy, theirs } = saving.state.value
  const editor = isOpen && (
    <div class="editing">
      <Editor
        {...{ label, text, isChanged, isBusy, isLine, most, submit: words.task.save, onLeave: close }}
        onType={(next) => typed.type(next, begunWith)}
        onSave={() => void save()}
      />
      {unsaved && over === begunWith && over !== base && !theirs && (
        <p class="meanwhile small" role="status">
          {words.task.meanwhile}
        </p>
      )}
      <EditOutcome
        {...{ saving, label, onTheirs: close, onSaved: close, onAgain: () => void save() }}
        show={(value) => <span class="written">{value}</span>}
      />
    </div>
  )
  return {
    editor,
    opener,
    open() {
      isOpened.value = true
    },
  }
}
