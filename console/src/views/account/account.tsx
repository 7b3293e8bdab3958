import { useSignal } from '@preact/signals'
import { useLoaded } from '../../live/loaded.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ask } from '../../session/ask.ts'
import { leavePerson, type Account as Person, readAccount, switchTo } from '../../session/person.ts'
import { me, session } from '../../session/session.ts'
import { signInWords } from '../../sign-in/sign-in-words.ts'
import { useWays, type Ways } from '../../sign-in/ways.ts'
import { words } from '../../words.ts'
import { Identities } from './identities.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'

/** The account of the signed-in person: who they are, how they sign in, and where they are signed in. */
export default function Account() {
  return (
    <div class="account-page">
      <header class="view-head">
        <h1>{words.views.account}</h1>
      </header>
      {session.value?.by === 'session' ? <Sections /> : <p class="empty">{signInWords.account.withKey}</p>}
    </div>
  )
}

function Sections() {
  const account = useLoaded('account', readAccount, ({ type, resource }) =>
    type.startsWith('member.') && resource.id === me().member.id ? 'again' : undefined,
  )
  const { ways, error } = useWays()
  return (
    <Loading of={account}>
      {(of) =>
        ways === undefined && error === undefined ? null : <Loaded {...{ of, ways }} onChange={account.reload} />
      }
    </Loading>
  )
}

function Loaded({ of, ways, onChange }: { of: Person; ways: Ways | undefined; onChange: () => void }) {
  const { person, organizations } = of
  const isOn = (way: Ways['ways'][number]) => ways?.ways.includes(way) ?? false
  const providers = isOn('oidc') ? (ways?.providers ?? []) : []
  const leaving = useSignal(false)
  return (
    <>
      <section aria-labelledby="account-person">
        <h2 id="account-person">{signInWords.account.person}</h2>
        <dl class="account-facts">
          <dt>{signInWords.account.name}</dt>
          <dd dir="auto">{person.name}</dd>
          <dt>{signInWords.account.email}</dt>
          <dd>
            {person.email ?? signInWords.account.noEmail}{' '}
            {person.email !== null && (
              <span class={`chip ${person.emailVerified ? 'good' : 'warn'}`}>
                {person.emailVerified ? signInWords.account.verified : signInWords.account.notVerified}
              </span>
            )}
          </dd>
        </dl>
        {!person.emailVerified && (
          <p class="quiet small">
            {person.email === null ? signInWords.account.noEmailHint : signInWords.account.notVerifiedHint}
          </p>
        )}
        {organizations.length > 1 && (
          <>
            <h3>{signInWords.account.organizations}</h3>
            <ul class="account-organizations">
              {organizations.map(({ id, name, role }) => (
                <li key={id}>
                  <span dir="auto">{name}</span> <span class="chip">{signInWords.invitation.role[role]}</span>{' '}
                  {id === me().organization.id ? (
                    <span class="chip good">{signInWords.account.here}</span>
                  ) : (
                    <button type="button" onClick={() => switchTo(id)}>
                      {words.session.switchTo(name)}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {(isOn('passkey') || person.passkeys > 0) && <Passkeys mayAdd={isOn('passkey')} onChange={onChange} />}
      {(isOn('password') || person.hasPassword) && <Password {...{ person, onChange }} mayChange={isOn('password')} />}
      {(providers.length > 0 || person.identities > 0) && <Identities {...{ providers, onChange }} />}
      <Sessions
        onEverywhere={() => {
          leaving.value = true
        }}
      />
      {leaving.value && (
        <Confirm
          isDangerous
          title={signInWords.account.everywhereTitle}
          submit={signInWords.account.everywhere}
          write={() => ask('POST', '/auth/sign-out', { everywhere: true })}
          onClose={() => {
            leaving.value = false
          }}
          onDone={leavePerson}
        >
          <p>{signInWords.account.everywhereLead}</p>
        </Confirm>
      )}
    </>
  )
}
