import { useSignal } from '@preact/signals'
import { ApiError } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Field, FormBox } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { hrefOf } from '../../router/router.ts'
import { ask } from '../../session/ask.ts'
import { account } from '../../session/person.ts'
import { me } from '../../session/session.ts'
import { signInWords } from '../../sign-in/sign-in-words.ts'

interface DeviceRequest {
  name: string
  address: string
  createdAt: string
  expiresAt: string
}

const lifetimes = [1, 7, 30, 90, 365]
const usualDays = '90'
const never = 'never'

/** Shows which device asks, and lets the person choose what its key can do and for how long. */
export function Approval({ code }: { code: string }) {
  const path = `/auth/device/${encodeURIComponent(code)}`
  const request = useLoaded(code, (signal) => ask<DeviceRequest>('GET', path, undefined, signal))
  const said = useSignal<string | undefined>(undefined)
  const { error } = request
  if (said.value !== undefined) return <p role="status">{said.value}</p>
  if (error.value instanceof ApiError && [404, 412, 422].includes(error.value.status))
    return (
      <div class="failed" role="alert">
        <p>{signInWords.device.unknown}</p>
        <a href={hrefOf('/device')}>{signInWords.device.another}</a>
      </div>
    )
  return (
    <Loading of={request}>
      {(found) => (
        <Question
          {...{ code, path, request: found }}
          onSaid={(text) => {
            said.value = text
          }}
        />
      )}
    </Loading>
  )
}

interface QuestionProps {
  code: string
  path: string
  request: DeviceRequest
  onSaid: (text: string) => void
}

function Question({ code, path, request: { name, address }, onSaid }: QuestionProps) {
  const organizations = account.value?.organizations ?? []
  const values = useSignal({ organization: me().organization.id, may: 'write', lasts: usualDays })
  const isBusy = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const set = (change: Partial<typeof values.value>) => {
    values.value = { ...values.peek(), ...change }
  }
  const send = async (verb: 'approve' | 'deny') => {
    const { organization, may, lasts } = values.value
    const body = {
      organization,
      scopes: may === 'read' ? ['read'] : ['read', 'write'],
      expiresAt: lasts === never ? null : new Date(Date.now() + Number(lasts) * 86_400_000).toISOString(),
    }
    isBusy.value = true
    const outcome = await act(() => ask('POST', `${path}/${verb}`, verb === 'approve' ? body : {}), { isQuiet: true })
    isBusy.value = false
    error.value = outcome.done ? undefined : outcome.error
    if (outcome.done) onSaid(verb === 'approve' ? signInWords.device.approved(name) : signInWords.device.denied(name))
  }
  return (
    <>
      <h2>{signInWords.device.question(name)}</h2>
      <p>{signInWords.device.asks(name, address)}</p>
      <p>
        {signInWords.device.codeIs} <strong class="device-code">{code}</strong>. {signInWords.device.warning}
      </p>
      <FormBox
        {...{ error: error.value, isBusy: isBusy.value, submit: signInWords.device.approve }}
        onSubmit={() => void send('approve')}
      >
        {organizations.length > 1 && (
          <Field name="organization" label={signInWords.device.organization}>
            {(attributes) => (
              <select
                {...attributes}
                value={values.value.organization}
                onChange={({ currentTarget }) => set({ organization: currentTarget.value })}
              >
                {organizations.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field name="scopes" label={signInWords.device.may}>
          {(attributes) => (
            <select
              {...attributes}
              value={values.value.may}
              onChange={({ currentTarget }) => set({ may: currentTarget.value })}
            >
              <option value="write">{signInWords.device.write}</option>
              <option value="read">{signInWords.device.read}</option>
            </select>
          )}
        </Field>
        <Field name="expiresAt" label={signInWords.device.lasts}>
          {(attributes) => (
            <select
              {...attributes}
              value={values.value.lasts}
              onChange={({ currentTarget }) => set({ lasts: currentTarget.value })}
            >
              {lifetimes.map((days) => (
                <option key={days} value={String(days)}>
                  {signInWords.device.days(days)}
                </option>
              ))}
              <option value={never}>{signInWords.device.never}</option>
            </select>
          )}
        </Field>
      </FormBox>
      <button type="button" class="dangerous" aria-disabled={isBusy.value} onClick={() => void send('deny')}>
        {signInWords.device.deny}
      </button>
    </>
  )
}
