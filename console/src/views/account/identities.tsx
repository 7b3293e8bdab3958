import { useSignal } from '@preact/signals'
import { tell } from '../../act/notices.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { momentText } from '../../parts/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { ask } from '../../session/ask.ts'
import { Providers } from '../../sign-in/providers.tsx'
import type { Provider } from '../../sign-in/ways.ts'
import { words } from '../../words.ts'
import { signInChanged } from './changes.ts'

interface Identity {
  id: string
  issuer: string
  /** of the provider, if it is still on */
  name: string | null
  email: string | null
  createdAt: string
  lastUsedAt: string | null
}

interface IdentitiesProps {
  providers: readonly Provider[]
  onChange: () => void
}

/** The person's accounts at providers: link, unlink. */
export function Identities({ providers, onChange }: IdentitiesProps) {
  const identities = useLoaded('identities', readIdentities, signInChanged)
  const asked = useSignal<Identity | undefined>(undefined)
  const nameOf = ({ name, issuer }: Identity) =>
    name ?? providers.find((provider) => provider.issuer === issuer)?.name ?? new URL(issuer).host
  return (
    <section aria-labelledby="account-identities">
      <h2 id="account-identities">{words.account.identities}</h2>
      <p class="quiet">{words.account.identitiesLead}</p>
      <Loading of={identities}>
        {(data) =>
          data.length === 0 ? (
            <p>{words.account.noIdentities}</p>
          ) : (
            <Rows label={words.account.identities}>
              {data.map((identity) => (
                <Row
                  key={identity.id}
                  level={3}
                  name={<span dir="auto">{nameOf(identity)}</span>}
                  about={[
                    ...(identity.email ? [identity.email] : []),
                    words.account.linked(momentText(identity.createdAt)),
                    ...(identity.lastUsedAt ? [words.account.used(momentText(identity.lastUsedAt))] : []),
                  ]}
                  actions={
                    <button
                      type="button"
                      class="dangerous"
                      aria-label={words.account.unlinkOne(nameOf(identity))}
                      onClick={() => {
                        asked.value = identity
                      }}
                    >
                      {words.account.unlink}
                    </button>
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loading>
      <div class="buttons">
        <Providers
          of={providers}
          links
          label={words.account.link}
          onFailure={(sentence) => void tell(sentence, { isFailure: true })}
        />
      </div>
      {asked.value && (
        <Confirm
          isDangerous
          title={words.account.unlinkTitle(nameOf(asked.value))}
          submit={words.account.unlink}
          write={() => ask('DELETE', `/me/identities/${asked.peek()?.id}`)}
          said={words.account.unlinked(nameOf(asked.value))}
          onClose={() => {
            asked.value = undefined
          }}
          onDone={() => {
            identities.reload()
            onChange()
          }}
        >
          <p>{words.account.unlinkLead}</p>
        </Confirm>
      )}
    </section>
  )
}

const readIdentities = async (signal: AbortSignal) =>
  (await ask<{ data: Identity[] }>('GET', '/me/identities', undefined, signal)).data
