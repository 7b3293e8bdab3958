import type { Webhook } from '@taskwright/client'
import { useEdit } from '../../parts/edit.tsx'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { tw } from '../../session/session.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { webhookWords } from './webhook-words.ts'

/** Edits the URL and the event types of a webhook. */
export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id } = webhook
  const edit = useEdit({
    what: `webhook.${id}`,
    now: webhook,
    fields: ['url', 'types', 'projectId', 'description'],
    read: () => tw().webhooks.get(id),
    update: (changes, options) => tw().webhooks.update(id, changes, options),
    said: webhookWords.saved,
  })
  return (
    <EditDialog title={webhookWords.editTitle} edit={edit} labels={webhookWords.fields} kind="wide" onClose={onClose}>
      <WebhookFields values={edit.form.values} set={edit.form.set} />
    </EditDialog>
  )
}
