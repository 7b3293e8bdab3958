import type { Webhook } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Meanwhile, useEdit } from '../../parts/edit.tsx'
import { FormBox } from '../../parts/form.tsx'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { WebhookFields } from './webhook-fields.tsx'

/** Changes where a webhook goes, and what it is sent. */
export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id } = webhook
  const edit = useEdit({
    what: `webhook.${id}`,
    now: webhook,
    fields: ['url', 'types', 'projectId', 'description'],
    read: () => tw().webhooks.read(id),
    update: (changes, options) => tw().webhooks.update(id, changes, options),
    said: words.webhooks.saved,
  })
  const { form } = edit
  const save = async () => {
    if ((await edit.save()).done) onClose()
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={words.webhooks.editTitle} onClose={leave} kind="wide">
      <FormBox
        {...form}
        error={edit.theirs.length > 0 ? undefined : form.error}
        submit={words.edit.save}
        onSubmit={() => void save()}
        onCancel={leave}
      >
        <WebhookFields values={form.values} set={form.set} />
        <Meanwhile edit={edit} labels={words.webhooks.fields} onSaved={onClose} />
      </FormBox>
    </Dialog>
  )
}
