import { useSignal } from '@preact/signals'
import { useLoaded } from '../../live/loaded.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FormBox, useForm } from '../../parts/form.tsx'
import { momentText } from '../../parts/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { ask } from '../../session/ask.ts'
import { addPasskey, deviceName, passkeysWork, whyNoPasskeys } from '../../sign-in/passkeys.ts'
import { signInWords } from '../../sign-in/sign-in-words.ts'
import { words } from '../../words.ts'
import { signInChanged } from './changes.ts'

interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  backedUp: boolean
}

interface PasskeysProps {
  mayAdd: boolean
  /** the person has one more or one less */
  onChange: () => void
}

/** The person's passkeys: add, rename, remove. */
export function Passkeys({ mayAdd, onChange }: PasskeysProps) {
  const passkeys = useLoaded('passkeys', readPasskeys, signInChanged)
  const open = useSignal<{ what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | undefined>(undefined)
  const now = open.value
  const close = () => {
    open.value = undefined
  }
  const changed = () => {
    passkeys.reload()
    onChange()
  }
  return (
    <section aria-labelledby="account-passkeys">
      <h2 id="account-passkeys">{signInWords.account.passkeys}</h2>
      <p class="quiet">{signInWords.account.passkeysLead}</p>
      <Loading of={passkeys}>
        {(data) =>
          data.length === 0 ? (
            <p>{signInWords.account.noPasskeys}</p>
          ) : (
            <Rows label={signInWords.account.passkeys}>
              {data.map((passkey) => (
                <Row
                  key={passkey.id}
                  name={<span dir="auto">{passkey.name}</span>}
                  level={3}
                  chips={passkey.backedUp && <span class="chip">{signInWords.account.backedUp}</span>}
                  about={[
                    signInWords.account.passkeyCreated(momentText(passkey.createdAt)),
                    passkey.lastUsedAt === null
                      ? signInWords.account.unused
                      : signInWords.account.used(momentText(passkey.lastUsedAt)),
                  ]}
                  actions={
                    <>
                      <button
                        type="button"
                        aria-label={signInWords.account.renameOne(passkey.name)}
                        onClick={() => {
                          open.value = { what: 'rename', passkey }
                        }}
                      >
                        {signInWords.account.rename}
                      </button>
                      <button
                        type="button"
                        class="dangerous"
                        aria-label={signInWords.account.removeOne(passkey.name)}
                        onClick={() => {
                          open.value = { what: 'remove', passkey }
                        }}
                      >
                        {signInWords.account.remove}
                      </button>
                    </>
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loading>
      {mayAdd && passkeysWork() && (
        <button
          type="button"
          onClick={() => {
            open.value = { what: 'add' }
          }}
        >
          {signInWords.account.addPasskey}
        </button>
      )}
      {mayAdd && !passkeysWork() && <p class="quiet small">{whyNoPasskeys()}</p>}
      {now?.what === 'add' && <AddPasskey onClose={close} onDone={changed} />}
      {now?.what === 'rename' && <RenamePasskey passkey={now.passkey} onClose={close} onDone={changed} />}
      {now?.what === 'remove' && (
        <Confirm
          isDangerous
          title={signInWords.account.removeTitle(now.passkey.name)}
          submit={signInWords.account.remove}
          write={() => ask('DELETE', `/me/passkeys/${now.passkey.id}`)}
          said={signInWords.account.removed(now.passkey.name)}
          onClose={close}
          onDone={changed}
        >
          <p>{signInWords.account.removePasskeyLead}</p>
        </Confirm>
      )}
    </section>
  )
}

const readPasskeys = async (signal: AbortSignal) =>
  (await ask<{ data: Passkey[] }>('GET', '/me/passkeys', undefined, signal)).data

interface DialogProps {
  onClose: () => void
  onDone: () => void
}

function AddPasskey({ onClose, onDone }: DialogProps) {
  const form = useForm('passkey', { name: deviceName() })
  const submit = async () => {
    const outcome = await form.send(({ name }) => addPasskey(name), signInWords.account.passkeyAdded(form.values.name))
    if (!outcome.done) return
    onClose()
    onDone()
  }
  return (
    <NameDialog
      title={signInWords.account.addPasskey}
      submit={signInWords.account.addPasskey}
      {...{ form, onClose }}
      onSubmit={() => void submit()}
    />
  )
}

function RenamePasskey({ passkey: { id, name }, onClose, onDone }: DialogProps & { passkey: Passkey }) {
  const form = useForm(`passkey.${id}`, { name })
  const submit = async () => {
    const outcome = await form.send((values) => ask('PATCH', `/me/passkeys/${id}`, values), signInWords.account.renamed)
    if (!outcome.done) return
    onClose()
    onDone()
  }
  return (
    <NameDialog
      title={signInWords.account.renameTitle}
      submit={words.edit.save}
      {...{ form, onClose }}
      onSubmit={() => void submit()}
    />
  )
}

interface NameDialogProps {
  title: string
  submit: string
  form: ReturnType<typeof useForm<{ name: string }>>
  onSubmit: () => void
  onClose: () => void
}

function NameDialog({ title, submit, form, onSubmit, onClose }: NameDialogProps) {
  const leave = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog title={title} onClose={leave}>
      <FormBox {...form} {...{ submit, onSubmit }} onCancel={leave}>
        <Field name="name" label={signInWords.account.passkeyName} hint={signInWords.account.passkeyNameHint}>
          {(attributes) => (
            <input
              {...attributes}
              dir="auto"
              maxLength={100}
              autocomplete="off"
              value={form.values.name}
              onInput={({ currentTarget }) => form.set({ name: currentTarget.value })}
            />
          )}
        </Field>
      </FormBox>
    </Dialog>
  )
}
