import { useSignal } from '@preact/signals'
import { tell } from '../../act/notices.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { momentText } from '../../parts/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { ask } from '../../session/ask.ts'
import { Providers } from '../../sign-in/providers.tsx'
import { signInWords } from '../../sign-in/sign-in-words.ts'
import type { Provider } from '../../sign-in/ways.ts'
import { signInChanged } from './changes.ts'

interface Identity {
  id: string
  issuer: string
  /** its name, or the issuer if it is off */
  provider: string
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
  return (
    <section aria-labelledby="account-identities">
      <h2 id="account-identities">{signInWords.account.identities}</h2>
      <p class="quiet">{signInWords.account.identitiesLead}</p>
      <Loading of={identities}>
        {(data) =>
          data.length === 0 ? (
            <p>{signInWords.account.noIdentities}</p>
          ) : (
            <Rows label={signInWords.account.identities}>
              {data.map((identity) => (
                <Row
                  key={identity.id}
                  level={3}
                  name={<span dir="auto">{identity.provider}</span>}
                  about={[
                    ...(identity.email ? [identity.email] : []),
                    signInWords.account.linked(momentText(identity.createdAt)),
                    ...(identity.lastUsedAt ? [signInWords.account.used(momentText(identity.lastUsedAt))] : []),
                  ]}
                  actions={
                    <button
                      type="button"
                      class="dangerous"
                      aria-label={signInWords.account.unlinkOne(identity.provider)}
                      onClick={() => {
                        asked.value = identity
                      }}
                    >
                      {signInWords.account.unlink}
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
          label={signInWords.account.link}
          onFailure={(sentence) => void tell(sentence, { isFailure: true })}
        />
      </div>
      {asked.value && (
        <Confirm
          isDangerous
          title={signInWords.account.unlinkTitle(asked.value.provider)}
          submit={signInWords.account.unlink}
          write={() => ask('DELETE', `/me/identities/${asked.peek()?.id}`)}
          said={signInWords.account.unlinked(asked.value.provider)}
          onClose={() => {
            asked.value = undefined
          }}
          onDone={() => {
            identities.reload()
            onChange()
          }}
        >
          <p>{signInWords.account.unlinkLead}</p>
        </Confirm>
      )}
    </section>
  )
}

const readIdentities = async (signal: AbortSignal) =>
  (await ask<{ data: Identity[] }>('GET', '/me/identities', undefined, signal)).data
