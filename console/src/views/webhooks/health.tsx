import type { FullWebhook } from '@taskwright/client'
import { momentText } from '../../parts/format.ts'
import { webhookWords } from './webhook-words.ts'

/** The status of a webhook, in one word. */
export function Health({ webhook: { status, progress } }: { webhook: FullWebhook }) {
  if (status === 'disabled') return <span class="chip bad">{webhookWords.status.disabled}</span>
  if (status === 'paused') return <span class="chip warn">{webhookWords.status.paused}</span>
  if (progress?.failingSince) return <span class="chip bad">{webhookWords.failing}</span>
  return <span class="chip good">{webhookWords.status.active}</span>
}

/** More sentences about the status of a webhook. */
export function healthText({ disabledReason, progress, formerSecretUntil }: FullWebhook): string[] {
  const { lastSuccessAt = null, failingSince = null, retryAt = null } = progress ?? {}
  return [
    ...(disabledReason === null ? [] : [webhookWords.disabledFor[disabledReason]]),
    ...(failingSince === null ? [] : [webhookWords.failingSince(momentText(failingSince))]),
    ...(retryAt === null || Date.parse(retryAt) < Date.now() ? [] : [webhookWords.retryAt(momentText(retryAt))]),
    lastSuccessAt === null ? webhookWords.neverReceived : webhookWords.lastReceived(momentText(lastSuccessAt)),
    ...(formerSecretUntil !== null && Date.parse(formerSecretUntil) > Date.now()
      ? [webhookWords.bothSecrets(momentText(formerSecretUntil))]
      : []),
  ]
}
