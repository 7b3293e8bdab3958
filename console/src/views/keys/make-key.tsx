import type { NewApiKey } from '@taskwright/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { useNames } from '../../parts/names.ts'
import { findMembersToActOn } from '../../parts/options.ts'
import { Picker } from '../../parts/picker.tsx'
import { isAdmin } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { ExpiryField, endOf } from './expiry.tsx'
import { keyWords } from './key-words.ts'

interface MakeKeyProps {
  /** the owner at first */
  memberId: string
  /** a suggestion, for example for a new member */
  name?: string
  /** text above the fields */
  lead?: string | undefined
  onClose: () => void
  onMade: (made: NewApiKey) => void
}

const scopes = ['read', 'write'] as const

/** Creates a key for the user or another member. */
export function MakeKey({ memberId, name = '', lead, onClose, onMade }: MakeKeyProps) {
  const own = me().apiKey?.scopes ?? scopes
  const form = useForm(`key.${memberId}`, { name, memberId, scopes: own, lasts: '', day: '' })
  const { values, set } = form
  const nameOf = useNames([values.memberId])
  const submit = async () => {
    const outcome = await form.send(({ name, memberId, scopes, ...end }, once) =>
      tw().apiKeys.create({ name, memberId, scopes, expiresAt: endOf(end) }, once),
    )
    if (outcome.done) onMade(outcome.value)
  }
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={keyWords.make} onClose={leave}>
      <FormBox {...form} submit={keyWords.submit} onSubmit={() => void submit()} onCancel={leave}>
        {lead !== undefined && <p>{lead}</p>}
        <Field name="name" label={keyWords.fields.name} hint={keyWords.fields.nameHint}>
          {(attributes) => (
            <input
              {...attributes}
              value={values.name}
              dir="auto"
              maxLength={255}
              autocomplete="off"
              onInput={({ currentTarget }) => set({ name: currentTarget.value })}
            />
          )}
        </Field>
        {isAdmin() && (
          <div class="form-field">
            <span class="keys-label">{keyWords.fields.member}</span>
            <div>
              <Picker
                isSingle
                label={keyWords.fields.member}
                none={keyWords.fields.me}
                chosen={
                  values.memberId === me().member.id
                    ? []
                    : [{ id: values.memberId, label: nameOf(values.memberId) ?? keyWords.somebody }]
                }
                find={findMembersToActOn}
                onChange={([one]) => set({ memberId: one?.id ?? me().member.id })}
              />
            </div>
          </div>
        )}
        <fieldset>
          <legend>{keyWords.fields.scopes}</legend>
          {scopes
            .filter((scope) => own.includes(scope))
            .map((scope) => (
              <label key={scope} class="check">
                <input
                  type="checkbox"
                  checked={values.scopes.includes(scope)}
                  onChange={({ currentTarget: { checked } }) =>
                    set({ scopes: scopes.filter((each) => (each === scope ? checked : values.scopes.includes(each))) })
                  }
                />
                <span>{keyWords.fields[scope]}</span>
              </label>
            ))}
        </fieldset>
        <ExpiryField {...{ lasts: values.lasts, day: values.day, set }} />
      </FormBox>
    </Dialog>
  )
}
