import { useSignal } from '@preact/signals'
import type { Delivery } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { momentText } from '../../parts/format.ts'
import { Row } from '../../parts/rows.tsx'
import { mayAdminister } from '../../session/may.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { webhookWords } from './webhook-words.ts'

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
    const outcome = await act((once) => tw().deliveries.redeliver(id, once), { said: webhookWords.redelivered })
    isBusy.value = false
    if (outcome.done) onChanged(outcome.value)
  }
  return (
    <Row
      name={eventType}
      chips={<span class={`chip ${tones[status]}`}>{webhookWords.states[status]}</span>}
      about={[
        webhookWords.event(sequence),
        momentText(createdAt),
        ...(nextAttemptAt === null ? [] : [webhookWords.next(momentText(nextAttemptAt))]),
      ]}
      actions={
        mayAdminister() && (
          <button
            type="button"
            aria-disabled={isBusy.value}
            aria-label={webhookWords.redeliverOne(eventType, sequence)}
            onClick={() => void redeliver()}
          >
            {isBusy.value ? words.frame.underWay : webhookWords.redeliver}
          </button>
        )
      }
      more={
        <details class="webhook-attempts">
          <summary>{webhookWords.attempts(attemptCount)}</summary>
          <ol>
            {attempts.map((attempt) => (
              <li key={attempt.at}>
                <span class={isReceived(attempt.status) ? '' : 'failure'}>
                  {attempt.status === null ? (attempt.error ?? webhookWords.noAnswer) : attempt.status}
                </span>
                <span class="quiet small">
                  {' '}
                  {momentText(attempt.at)} · {webhookWords.ms(attempt.ms)}
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
