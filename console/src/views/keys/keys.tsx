import { useSignal } from '@preact/signals'
import type { ApiKey, NewApiKey } from '@taskwright/client'
import { useCommands } from '../../frame/shortcuts.ts'
import { useLoaded } from '../../live/loaded.ts'
import { Failure } from '../../parts/failure.tsx'
import { useNames } from '../../parts/names.ts'
import { Pager, pageOf, Rows } from '../../parts/rows.tsx'
import { query } from '../../router/router.ts'
import { mayWrite, whyNotWrite } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import { KeyLine } from './key-line.tsx'
import { KeySecret } from './key-secret.tsx'
import { keyWords } from './key-words.ts'
import { MakeKey } from './make-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'
import { Whose } from './whose.tsx'

const pageSize = 50

/** API keys: the user's own; owners and admins can see those of all members. */
export default function Keys() {
  const whose = query('of')
  const page = pageOf(query('page'))
  const making = useSignal(false)
  const asked = useSignal<{ key: ApiKey; what: 'rotate' | 'revoke' } | undefined>(undefined)
  const made = useSignal<NewApiKey | undefined>(undefined)
  const memberId = whose === '' ? 'me' : whose
  const keys = useLoaded(
    `${whose} ${page}`,
    (signal) => {
      const part = { limit: pageSize, offset: (page - 1) * pageSize }
      return tw().apiKeys.list(memberId === 'all' ? part : { ...part, memberId }, { signal })
    },
    ({ type }) => (type.startsWith('api_key.') ? 'again' : undefined),
  )
  const data = keys.value.value?.data ?? []
  const nameOf = useNames([...data.flatMap((key) => [key.createdBy, key.memberId])])
  const make = () => {
    making.value = true
  }
  useCommands(words.views.keys, [{ label: keyWords.make, keys: 'n', whyNot: whyNotWrite, run: make }])
  const close = () => {
    making.value = false
    asked.value = undefined
    made.value = undefined
  }
  const show = (key: NewApiKey) => {
    close()
    made.value = key
  }
  return (
    <>
      <header class="view-head">
        <h1>{words.views.keys}</h1>
        <Whose whose={whose} name={nameOf(whose)} />
        <span class="spacer" />
        {mayWrite() && (
          <button type="button" class="primary" onClick={make}>
            {keyWords.make}
          </button>
        )}
      </header>
      <p class="quiet keys-lead">{keyWords.lead}</p>
      {keys.error.value !== undefined && <Failure error={keys.error.value} onRetry={keys.reload} />}
      {keys.value.value === undefined && keys.error.value === undefined && (
        <p class="quiet" role="status">
          {words.frame.loading}
        </p>
      )}
      {keys.value.value && data.length === 0 && <p class="empty">{keyWords.none}</p>}
      {data.length > 0 && (
        <Rows label={keyWords.list}>
          {data.map((key) => (
            <KeyLine
              key={key.id}
              {...{ apiKey: key, nameOf, isOfOthers: memberId !== 'me' }}
              madeWith={data.find(({ id }) => id === key.createdWith)?.name}
              onAsk={(what) => {
                asked.value = { key, what }
              }}
            />
          ))}
        </Rows>
      )}
      {keys.value.value && <Pager {...{ page, pageSize, total: keys.value.value.total }} />}
      {making.value && <MakeKey memberId={whoseOf(memberId)} onClose={close} onMade={show} />}
      {asked.value?.what === 'rotate' && <RotateKey apiKey={asked.value.key} onClose={close} onMade={show} />}
      {asked.value?.what === 'revoke' && <RevokeKey apiKey={asked.value.key} onClose={close} />}
      {made.value && <KeySecret made={made.value} onClose={close} />}
    </>
  )
}

const whoseOf = (memberId: string) => (memberId === 'me' || memberId === 'all' ? me().member.id : memberId)
