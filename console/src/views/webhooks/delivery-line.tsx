import { useSignal } from '@preact/signals'
import type { Delivery } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { momentText } from '../../parts/format.ts'
import { Row } from '../../parts/rows.tsx'
import { mayAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'

interface DeliveryLineProps {
  delivery: Delivery
  onChanged: (delivery: Delivery) => void
}

const tones = { pending: 'warn', delivered: 'good', failed: 'bad' }

/** A delivery of an event, with its attempts. */
export function DeliveryLine({ delivery, onChanged }: DeliveryLineProps) {
  const { id, eventType, status, sequence, attempts, attemptCount, nextAttemptAt, createdAt } = delivery
  const isBusy = useSignal(false)
  const redeliver = async () => {
    if (isBusy.value) return
    isBusy.value = true
    const outcome = await act((once) => tw().deliveries.redeliver(id, once), { said: words.webhooks.redelivered })
    isBusy.value = false
    if (outcome.done) onChanged(outcome.value)
  }
  return (
    <Row
      name={eventType}
      chips={<span class={`chip ${tones[status]}`}>{words.webhooks.states[status]}</span>}
      about={[
        words.webhooks.event(sequence),
        momentText(createdAt),
        ...(nextAttemptAt === null ? [] : [words.webhooks.next(momentText(nextAttemptAt))]),
      ]}
      actions={
        mayAdminister() && (
          <button
            type="button"
            aria-disabled={isBusy.value}
            aria-label={words.webhooks.redeliverOne(eventType, sequence)}
            onClick={() => void redeliver()}
          >
            {isBusy.value ? words.frame.underWay : words.webhooks.redeliver}
          </button>
        )
      }
      more={
        <details class="webhook-attempts">
          <summary>{words.webhooks.attempts(attemptCount)}</summary>
          <ol>
            {attempts.map((attempt) => (
              <li key={attempt.at}>
                <span class={isReceived(attempt.status) ? '' : 'failure'}>
                  {attempt.status === null ? (attempt.error ?? words.webhooks.noAnswer) : attempt.status}
                </span>
                <span class="quiet small">
                  {' '}
                  {momentText(attempt.at)} · {words.webhooks.ms(attempt.ms)}
                </span>
                {attempt.answer && <pre>{attempt.answer}</pre>}
              </li>
            ))}
          </ol>
        </details>
      }
    />
  )
}

const isReceived = (status: number | null) => status !== null && status >= 200 && status < 300
