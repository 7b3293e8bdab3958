import { useLoaded } from '../../live/loaded.ts'
import { Loading } from '../../parts/loading.tsx'
import { go, hrefOf } from '../../router/router.ts'
import { mayAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Deliveries } from './deliveries.tsx'
import { Health, healthText } from './health.tsx'
import { useProjectName } from './project-name.ts'
import { test, WebhookActions } from './webhook-actions.tsx'
import { webhookWords } from './webhook-words.ts'

/** A webhook and its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  const webhook = useLoaded(
    id,
    (signal) => tw().webhooks.get(id, { include: ['progress'] }, { signal }),
    ({ type, resource }) => (type.startsWith('webhook.') && resource.id === id ? 'again' : undefined),
  )
  const project = useProjectName(webhook.value.value?.projectId ?? null)
  return (
    <>
      <header class="view-head">
        <h1>{words.views.webhooks}</h1>
        <a href={hrefOf('/webhooks')}>{webhookWords.back}</a>
      </header>
      <Loading of={webhook}>
        {(now) => (
          <>
            <div class="view-head">
              <h2 class="webhook-url">{now.url}</h2>
              <Health webhook={now} />
              <span class="spacer" />
              {mayAdminister() && (
                <>
                  <button type="button" onClick={() => void test(now)}>
                    {webhookWords.test}
                  </button>
                  <WebhookActions webhook={now} onDeleted={() => go(hrefOf('/webhooks'))} />
                </>
              )}
            </div>
            {now.description !== null && (
              <p dir="auto" class="webhook-url">
                {now.description}
              </p>
            )}
            <p class="quiet small webhook-facts">
              <span dir="auto">
                {now.projectId === null ? webhookWords.everyProject : (project ?? webhookWords.oneProject)}
              </span>
              <span>{now.types.length === 0 ? webhookWords.allTypes : now.types.join(', ')}</span>
              {healthText(now).map((text) => (
                <span key={text}>{text}</span>
              ))}
            </p>
            <Deliveries webhookId={id} onRefresh={webhook.reload} />
          </>
        )}
      </Loading>
    </>
  )
}
