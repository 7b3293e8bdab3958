import type { ComponentChildren } from 'preact'
import { words } from '../words.ts'
import { Dialog } from './dialog.tsx'
import { type Edit, Meanwhile } from './edit.tsx'
import { FormBox } from './form.tsx'

interface EditDialogProps<T extends object, K extends keyof T & string> {
  title: string
  edit: Edit<T, K>
  /** the labels of its fields */
  labels: Readonly<Record<K, string>>
  kind?: 'plain' | 'wide'
  onClose: () => void
  /** the form fields */
  children: ComponentChildren
}

/** A dialog to edit a resource. It closes when the edit is saved or discarded. */
export function EditDialog<T extends object, K extends keyof T & string>({
  title,
  edit,
  labels,
  kind = 'plain',
  onClose,
  children,
}: EditDialogProps<T, K>) {
  const { form } = edit
  const save = async () => {
    if ((await edit.save()).done) onClose()
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={title} onClose={leave} kind={kind}>
      <FormBox
        {...form}
        error={edit.theirs.length > 0 ? undefined : form.error}
        submit={words.edit.save}
        onSubmit={() => void save()}
        onCancel={leave}
      >
        {children}
        <Meanwhile edit={edit} labels={labels} onSaved={onClose} />
      </FormBox>
    </Dialog>
  )
}
