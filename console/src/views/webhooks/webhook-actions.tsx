import { useSignal } from '@preact/signals'
import type { NewWebhook, Webhook } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessChanged } from '../../act/unless-changed.ts'
import { Menu } from '../../parts/menu.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { tw } from '../../session/session.ts'
import { EditWebhook } from './edit-webhook.tsx'
import { Replay } from './replay.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { webhookWords } from './webhook-words.ts'

interface WebhookActionsProps {
  webhook: Webhook
  onDeleted?: () => void
}

/** The actions of a webhook. */
export function WebhookActions({ webhook, onDeleted }: WebhookActionsProps) {
  const open = useSignal<'edit' | 'secret' | 'replay' | undefined>(undefined)
  const renewed = useSignal<NewWebhook | undefined>(undefined)
  const ask = (what: typeof open.value) => () => {
    open.value = what
  }
  const close = ask(undefined)
  return (
    <>
      <Menu
        class="icon"
        label={webhookWords.actions(webhook.url)}
        items={[
          { label: webhookWords.edit, run: ask('edit') },
          webhook.status === 'active'
            ? { label: webhookWords.pause, run: () => void pause(webhook) }
            : { label: webhookWords.resume, run: () => void resume(webhook) },
          { label: webhookWords.test, run: () => void test(webhook) },
          { label: webhookWords.replay, run: ask('replay') },
          { label: webhookWords.rotate, run: ask('secret') },
          { label: webhookWords.delete, run: () => void remove(webhook, onDeleted), isDangerous: true },
        ]}
      >
        ⋯
      </Menu>
      {open.value === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {open.value === 'replay' && <Replay webhook={webhook} onClose={close} />}
      {open.value === 'secret' && (
        <RotateSecret
          webhook={webhook}
          onClose={close}
          onMade={(made) => {
            close()
            renewed.value = made
          }}
        />
      )}
      {renewed.value && (
        <SecretOnce
          title={webhookWords.secretTitle}
          secret={renewed.value.secret}
          onClose={() => {
            renewed.value = undefined
          }}
        >
          <p>{webhookWords.secretLead}</p>
        </SecretOnce>
      )}
    </>
  )
}

/** Sends a test event to a webhook. */
export const test = ({ id }: Webhook) => act((once) => tw().webhooks.test(id, once), { said: webhookWords.tested })

const pause = ({ id }: Webhook) =>
  act((once) => tw().webhooks.pause(id, once), {
    said: webhookWords.paused,
    undo: (changed) => tw().webhooks.resume(id, unlessChanged(changed)),
  })

const resume = ({ id }: Webhook) => act((once) => tw().webhooks.resume(id, once), { said: webhookWords.resumed })

async function remove({ id, url }: Webhook, onDeleted: (() => void) | undefined) {
  const { done } = await act(() => tw().webhooks.delete(id), {
    said: webhookWords.deleted(url),
    undo: () => tw().webhooks.restore(id),
  })
  if (done) onDeleted?.()
}
