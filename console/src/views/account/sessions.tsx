import { act } from '../../act/act.ts'
import { useLoaded } from '../../live/loaded.ts'
import { momentText } from '../../parts/format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { ask } from '../../session/ask.ts'
import { signOutPerson } from '../../session/person.ts'
import { signInWords } from '../../sign-in/sign-in-words.ts'
import { signInChanged } from './changes.ts'

interface PersonSession {
  id: string
  current: boolean
  signedInBy: string
  signedInAt: string
  lastUsedAt: string
  address: string | null
  /** such as `Chrome on Linux` */
  device: string | null
}

/** Where the person is signed in, with buttons to end it. */
export function Sessions({ onEverywhere }: { onEverywhere: () => void }) {
  const sessions = useLoaded(
    'sessions',
    async (signal) => {
      const { data } = await ask<{ data: PersonSession[] }>('GET', '/me/sessions', undefined, signal)
      return data.toSorted((one, other) => Number(other.current) - Number(one.current))
    },
    signInChanged,
  )
  const end = async ({ id, current, device }: PersonSession) => {
    if (current) return signOutPerson()
    const said = signInWords.account.ended(device ?? signInWords.account.unknownDevice)
    if ((await act(() => ask('DELETE', `/me/sessions/${id}`), { said })).done) sessions.reload()
  }
  return (
    <section aria-labelledby="account-sessions">
      <h2 id="account-sessions">{signInWords.account.sessions}</h2>
      <Loading of={sessions}>
        {(data) => (
          <Rows label={signInWords.account.sessions}>
            {data.map((one) => (
              <Row
                key={one.id}
                level={3}
                name={one.device ?? signInWords.account.unknownDevice}
                chips={one.current && <span class="chip good">{signInWords.account.thisOne}</span>}
                about={[
                  ...(one.address === null ? [] : [one.address]),
                  signInWords.account.signedIn(momentText(one.signedInAt), howOf(one.signedInBy)),
                  signInWords.account.used(momentText(one.lastUsedAt)),
                ]}
                actions={
                  <button
                    type="button"
                    aria-label={signInWords.account.endOne(
                      one.current ? signInWords.account.thisOne : (one.device ?? signInWords.account.unknownDevice),
                    )}
                    onClick={() => void end(one)}
                  >
                    {signInWords.account.end}
                  </button>
                }
              />
            ))}
          </Rows>
        )}
      </Loading>
      <button type="button" class="dangerous" onClick={onEverywhere}>
        {signInWords.account.everywhere}
      </button>
    </section>
  )
}

const howOf = (by: string): string =>
  Object.entries(signInWords.account.signedInBy).find(([way]) => way === by)?.[1] ?? by
