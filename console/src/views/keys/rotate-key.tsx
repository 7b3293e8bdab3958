import type { ApiKey, NewApiKey } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { me, tw } from '../../session/session.ts'
import { keyWords } from './key-words.ts'

const usualHours = '24'

interface RotateKeyProps {
  apiKey: ApiKey
  onClose: () => void
  onMade: (made: NewApiKey) => void
}

/** Creates the successor of a key. */
export function RotateKey({ apiKey: { id, name }, onClose, onMade }: RotateKeyProps) {
  const form = useForm(`rotate.${id}`, { overlapHours: usualHours })
  const isOwn = id === me().apiKey?.id
  const submit = async () => {
    const outcome = await form.send(({ overlapHours }, once) =>
      tw().apiKeys.rotate(id, { overlapHours: Number(overlapHours) }, once),
    )
    if (outcome.done) onMade(outcome.value)
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={keyWords.rotateTitle(name)} onClose={leave}>
      <FormBox {...form} submit={keyWords.rotate} onSubmit={() => void submit()} onCancel={leave}>
        <p>{keyWords.rotateLead}</p>
        <Field name="overlapHours" label={keyWords.overlap} hint={isOwn ? keyWords.overlapOwn : ''}>
          {(attributes) => (
            <input
              {...attributes}
              inputMode="numeric"
              value={form.values.overlapHours}
              onInput={({ currentTarget }) => form.set({ overlapHours: currentTarget.value })}
            />
          )}
        </Field>
      </FormBox>
    </Dialog>
  )
}
