import type { NewWebhook, Webhook } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { webhookWords } from './webhook-words.ts'

const usualHours = '24'

interface RotateSecretProps {
  webhook: Webhook
  onClose: () => void
  onMade: (made: NewWebhook) => void
}

/** Rotates the secret of a webhook; during the overlap, both secrets sign. */
export function RotateSecret({ webhook: { id }, onClose, onMade }: RotateSecretProps) {
  const form = useForm(`secret.${id}`, { overlapHours: usualHours })
  const submit = async () => {
    const outcome = await form.send(({ overlapHours }, once) =>
      tw().webhooks.rotateSecret(id, { overlapHours: Number(overlapHours) }, once),
    )
    if (outcome.done) onMade(outcome.value)
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={webhookWords.rotateTitle} onClose={leave}>
      <FormBox {...form} submit={webhookWords.rotateSubmit} onSubmit={() => void submit()} onCancel={leave}>
        <p>{webhookWords.rotateLead}</p>
        <Field name="overlapHours" label={webhookWords.overlap}>
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
