import { useSignal } from '@preact/signals'
import type { Delivery } from '@taskwright/client'
import { useEffect, useRef } from 'preact/hooks'
import { act } from '../../act/act.ts'
import { onEvent } from '../../live/live.ts'
import { useLoaded } from '../../live/loaded.ts'
import { isNewer } from '../../live/versions.ts'
import { Loading } from '../../parts/loading.tsx'
import { Rows } from '../../parts/rows.tsx'
import { query, setQuery } from '../../router/router.ts'
import { tw } from '../../session/session.ts'
import { trashWords } from '../trash/trash-words.ts'
import { DeliveryLine } from './delivery-line.tsx'
import { webhookWords } from './webhook-words.ts'

const pageSize = 30
const states = ['pending', 'delivered', 'failed'] as const
// attempts write no events, and happen some time after the event that they deliver
const looksAgainMs = [700, 2_500, 6_000]

/** The deliveries of a webhook, the latest first. */
export function Deliveries({ webhookId, onRefresh }: { webhookId: string; onRefresh: () => void }) {
  const status = states.find((state) => state === query('status'))
  const isReading = useSignal(false)
  const read = (signal?: AbortSignal, cursor?: string) => {
    const asked = { limit: pageSize, ...(status && { status }), ...(cursor && { cursor }) }
    return tw().webhooks.deliveries.list(webhookId, asked, signal ? { signal } : {})
  }
  const deliveries = useLoaded(`${webhookId} ${status}`, (signal) => read(signal))
  const refresh = () => {
    deliveries.reload()
    onRefresh()
  }
  useLookingAgain(webhookId, refresh)
  const more = async (cursor: string) => {
    if (isReading.value) return
    isReading.value = true
    const outcome = await act(() => read(undefined, cursor))
    isReading.value = false
    if (!outcome.done) return
    const { data, pagination } = outcome.value
    // if the list was read again meanwhile, this page does not follow its end
    deliveries.change((now) =>
      now.pagination.nextCursor === cursor ? { data: [...now.data, ...data], pagination } : now,
    )
  }
  const changed = (delivery: Delivery) =>
    deliveries.change((now) => ({
      ...now,
      data: now.data.map((one) => (one.id === delivery.id && isNewer(delivery, one) ? delivery : one)),
    }))
  return (
    <>
      <div class="view-head webhook-deliveries">
        <h3>{webhookWords.deliveries}</h3>
        <select
          aria-label={webhookWords.which}
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) => setQuery({ status: value })}
        >
          <option value="">{webhookWords.all}</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {webhookWords.states[state]}
            </option>
          ))}
        </select>
        <button type="button" onClick={refresh} aria-disabled={deliveries.isLoading.value}>
          {webhookWords.refresh}
        </button>
      </div>
      <Loading of={deliveries}>
        {({ data, pagination: { nextCursor } }) => (
          <>
            {data.length === 0 && <p class="empty">{webhookWords.noDeliveries}</p>}
            <Rows label={webhookWords.deliveries} isBusy={deliveries.isLoading.value}>
              {data.map((delivery) => (
                <DeliveryLine key={delivery.id} delivery={delivery} onChanged={changed} />
              ))}
            </Rows>
            {nextCursor !== null && (
              <div class="pager">
                <button type="button" aria-disabled={isReading.value} onClick={() => void more(nextCursor)}>
                  {trashWords.more}
                </button>
              </div>
            )}
          </>
        )}
      </Loading>
    </>
  )
}

/** Reads again for some seconds after an action on the webhook, such as a test. */
function useLookingAgain(webhookId: string, look: () => void) {
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = []
    const stop = () => timers.forEach(clearTimeout)
    const end = onEvent(({ type, resource }) => {
      if (!type.startsWith('webhook.') || resource.id !== webhookId) return
      stop()
      timers = looksAgainMs.map((ms) => setTimeout(() => latest.current(), ms))
    })
    return () => {
      stop()
      end()
    }
  }, [webhookId])
}
