import { place } from '../../router/router.ts'
import { isAdmin } from '../../session/may.ts'
import { words } from '../../words.ts'
import { WebhookList } from './webhook-list.tsx'
import { WebhookPage } from './webhook-page.tsx'
import { webhookWords } from './webhook-words.ts'

/** The pages of webhooks. */
export default function Webhooks() {
  const [, , id] = place.value.path.split('/')
  if (!isAdmin())
    return (
      <>
        <h1>{words.views.webhooks}</h1>
        <p class="empty">{webhookWords.notYou}</p>
      </>
    )
  return id ? <WebhookPage key={id} id={id} /> : <WebhookList />
}
