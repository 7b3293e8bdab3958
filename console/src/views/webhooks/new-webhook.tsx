import { useSignal } from '@preact/signals'
import type { NewWebhook as Made } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { FormBox, useForm } from '../../parts/form.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { tw } from '../../session/session.ts'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'
import { webhookWords } from './webhook-words.ts'

const empty: WebhookValues = { url: '', types: [], projectId: null, description: null }

/** Creates a webhook and shows its secret. */
export function NewWebhook({ onClose }: { onClose: () => void }) {
  const form = useForm('webhook', empty)
  const made = useSignal<Made | undefined>(undefined)
  const submit = async () => {
    const outcome = await form.send((values, once) => tw().webhooks.create(values, once))
    if (outcome.done) made.value = outcome.value
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  if (made.value)
    return (
      <SecretOnce title={webhookWords.secretTitle} secret={made.value.secret} onClose={onClose}>
        <p>{webhookWords.secretLead}</p>
      </SecretOnce>
    )
  return (
    <Dialog title={webhookWords.make} onClose={leave} kind="wide">
      <FormBox {...form} submit={webhookWords.create} onSubmit={() => void submit()} onCancel={leave}>
        <WebhookFields values={form.values} set={form.set} />
      </FormBox>
    </Dialog>
  )
}
