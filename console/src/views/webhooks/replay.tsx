import { useSignal } from '@preact/signals'
import type { Webhook } from '@taskwright/client'
import { tell } from '../../act/notices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { dayOf } from '../../parts/format.ts'
import { tw } from '../../session/session.ts'
import { webhookWords } from './webhook-words.ts'

/** Sends the events since a date-time to a webhook again. */
export function Replay({ webhook: { id }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const form = useForm(`replay.${id}`, { since: `${dayOf(new Date(), -1)}T00:00` })
  const wrong = useSignal('')
  const submit = async () => {
    const since = new Date(form.values.since)
    wrong.value = Number.isNaN(since.getTime()) ? webhookWords.noMoment : ''
    if (wrong.value !== '') return
    const outcome = await form.send(async (_, once) => {
      const after = await before(since.toISOString())
      if (after !== undefined) await tw().webhooks.replay(id, { after }, once)
      return after
    })
    if (!outcome.done) return
    onClose()
    tell(outcome.value === undefined ? webhookWords.nothingSince : webhookWords.replayed)
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={webhookWords.replayTitle} onClose={leave}>
      <FormBox {...form} submit={webhookWords.replaySubmit} onSubmit={() => void submit()} onCancel={leave}>
        <p>{webhookWords.replayLead}</p>
        <Field name="since" label={webhookWords.since}>
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              value={form.values.since}
              onInput={({ currentTarget }) => form.set({ since: currentTarget.value })}
            />
          )}
        </Field>
        <p class="failure">{wrong.value}</p>
      </FormBox>
    </Dialog>
  )
}

/** The sequence before the first event since a date-time; undefined if there is none. */
async function before(since: string): Promise<number | undefined> {
  const { data } = await tw().events.list({ since, limit: 1 })
  return data[0] && data[0].sequence - 1
}
