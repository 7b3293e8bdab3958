import type { ApiKey } from '@taskwright/client'
import { momentText } from '../../parts/format.ts'
import { isOwner } from '../../parts/names.ts'
import { Row } from '../../parts/rows.tsx'
import { mayWrite } from '../../session/may.ts'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'

interface KeyLineProps {
  apiKey: ApiKey
  /** shows the owner of the key */
  isOfOthers: boolean
  nameOf: (id: string) => string | null | undefined
  /** the key that created it, if known */
  madeWith: string | undefined
  onAsk: (what: 'rotate' | 'revoke') => void
}

/** A key: its state and actions. */
export function KeyLine({ apiKey, isOfOthers, nameOf, madeWith, onAsk }: KeyLineProps) {
  const state = stateOf(apiKey)
  const named = (id: string) => nameOf(id) ?? (nameOf(id) === null ? words.keys.gone : words.keys.somebody)
  const by = apiKey.createdBy === null ? words.keys.operator : named(apiKey.createdBy)
  const withKey = apiKey.createdWith === null ? undefined : (madeWith ?? words.keys.otherKey)
  return (
    <Row
      isFaint={state !== 'alive'}
      name={<span dir="auto">{apiKey.name}</span>}
      chips={
        <>
          {apiKey.id === me().apiKey?.id && <span class="chip good">{words.keys.thisSession}</span>}
          {state !== 'alive' && <span class="chip bad">{words.keys.state[state]}</span>}
          <span class="chip">{scopesText(apiKey.scopes)}</span>
        </>
      }
      about={[
        ...(isOfOthers ? [<bdi key="of">{words.keys.of(named(apiKey.memberId))}</bdi>] : []),
        <code key="prefix">{apiKey.prefix}…</code>,
        endText(apiKey),
        apiKey.lastUsedAt === null ? words.keys.unused : words.keys.used(momentText(apiKey.lastUsedAt)),
        <bdi key="made">{words.keys.made(momentText(apiKey.createdAt), by, withKey)}</bdi>,
      ]}
      actions={
        state === 'alive' &&
        mayWrite() &&
        mayActOn(apiKey.memberId) && (
          <>
            <button type="button" aria-label={`${words.keys.rotate} ${apiKey.name}`} onClick={() => onAsk('rotate')}>
              {words.keys.rotate}
            </button>
            <button
              type="button"
              class="dangerous"
              aria-label={`${words.keys.revoke} ${apiKey.name}`}
              onClick={() => onAsk('revoke')}
            >
              {words.keys.revoke}
            </button>
          </>
        )
      }
    />
  )
}

/** Only an owner can act on keys of an owner. */
const mayActOn = (memberId: string) => me().member.role === 'owner' || !isOwner(memberId)

function stateOf({ revokedAt, expiresAt }: ApiKey): 'alive' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'alive'
}

function endText(apiKey: ApiKey): string {
  const { revokedAt, expiresAt } = apiKey
  if (revokedAt !== null) return words.keys.revoked(momentText(revokedAt))
  if (expiresAt === null) return words.keys.noEnd
  const moment = momentText(expiresAt)
  return stateOf(apiKey) === 'expired' ? words.keys.expired(moment) : words.keys.expires(moment)
}

function scopesText(scopes: ApiKey['scopes']): string {
  const [one, other] = scopes
  return one !== undefined && other === undefined ? words.keys.scopes[one] : words.keys.scopes.both
}
