import type { FullWebhook } from '@taskwright/client'
import { momentText } from '../../parts/format.ts'
import { words } from '../../words.ts'

/** The status of a webhook, in one word. */
export function Health({ webhook: { status, progress } }: { webhook: FullWebhook }) {
  if (status === 'disabled') return <span class="chip bad">{words.webhooks.status.disabled}</span>
  if (status === 'paused') return <span class="chip warn">{words.webhooks.status.paused}</span>
  if (progress?.failingSince) return <span class="chip bad">{words.webhooks.failing}</span>
  return <span class="chip good">{words.webhooks.status.active}</span>
}

/** More sentences about the status of a webhook. */
export function healthText({ disabledReason, progress, formerSecretUntil }: FullWebhook): string[] {
  const { lastSuccessAt = null, failingSince = null, retryAt = null } = progress ?? {}
  return [
    ...(disabledReason === null ? [] : [words.webhooks.disabledFor[disabledReason]]),
    ...(failingSince === null ? [] : [words.webhooks.failingSince(momentText(failingSince))]),
    ...(retryAt === null || Date.parse(retryAt) < Date.now() ? [] : [words.webhooks.retryAt(momentText(retryAt))]),
    lastSuccessAt === null ? words.webhooks.neverReceived : words.webhooks.lastReceived(momentText(lastSuccessAt)),
    ...(formerSecretUntil !== null && Date.parse(formerSecretUntil) > Date.now()
      ? [words.webhooks.bothSecrets(momentText(formerSecretUntil))]
      : []),
  ]
}
