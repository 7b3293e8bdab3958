import { useSignal } from '@preact/signals'
import { useCommands } from '../../frame/shortcuts.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Loading } from '../../parts/loading.tsx'
import { Pager, pageOf, Row, Rows } from '../../parts/rows.tsx'
import { hrefOf, query } from '../../router/router.ts'
import { mayAdminister, whyNotAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { Health, healthText } from './health.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { webhookWords } from './webhook-words.ts'

const pageSize = 50

/** All webhooks and their status. */
export function WebhookList() {
  const page = pageOf(query('page'))
  const making = useSignal(false)
  const webhooks = useLoaded(
    String(page),
    (signal) =>
      tw().webhooks.list({ limit: pageSize, offset: (page - 1) * pageSize, include: ['progress'] }, { signal }),
    ({ type }) => (type.startsWith('webhook.') ? 'again' : undefined),
  )
  const make = () => {
    making.value = true
  }
  useCommands(words.views.webhooks, [{ label: webhookWords.make, keys: 'n', whyNot: whyNotAdminister, run: make }])
  return (
    <>
      <header class="view-head">
        <h1>{words.views.webhooks}</h1>
        <span class="spacer" />
        <button type="button" onClick={webhooks.reload}>
          {webhookWords.refresh}
        </button>
        {mayAdminister() && (
          <button type="button" class="primary" onClick={make}>
            {webhookWords.make}
          </button>
        )}
      </header>
      <p class="quiet webhook-lead">{webhookWords.lead}</p>
      <Loading of={webhooks}>
        {({ data, total }) => (
          <>
            {data.length === 0 && <p class="empty">{webhookWords.none}</p>}
            <Rows label={words.views.webhooks} isBusy={webhooks.isLoading.value}>
              {data.map((webhook) => (
                <Row
                  key={webhook.id}
                  isFaint={webhook.status !== 'active'}
                  name={<a href={hrefOf(`/webhooks/${webhook.id}`)}>{webhook.url}</a>}
                  chips={<Health webhook={webhook} />}
                  about={[
                    ...(webhook.description === null ? [] : [<bdi key="about">{webhook.description}</bdi>]),
                    webhook.types.length === 0 ? webhookWords.allTypes : webhook.types.join(', '),
                    ...healthText(webhook),
                  ]}
                  actions={mayAdminister() && <WebhookActions webhook={webhook} />}
                />
              ))}
            </Rows>
            <Pager {...{ page, pageSize, total }} />
          </>
        )}
      </Loading>
      {making.value && (
        <NewWebhook
          onClose={() => {
            making.value = false
          }}
        />
      )}
    </>
  )
}
