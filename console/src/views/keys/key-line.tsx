import type { ApiKey } from '@taskwright/client'
import { momentText } from '../../parts/format.ts'
import { isOwner } from '../../parts/names.ts'
import { Row } from '../../parts/rows.tsx'
import { mayWrite } from '../../session/may.ts'
import { me } from '../../session/session.ts'
import { keyWords } from './key-words.ts'

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
  const named = (id: string) => nameOf(id) ?? (nameOf(id) === null ? keyWords.gone : keyWords.somebody)
  const by = apiKey.createdBy === null ? keyWords.operator : named(apiKey.createdBy)
  const withKey = apiKey.createdWith === null ? undefined : (madeWith ?? keyWords.otherKey)
  return (
    <Row
      isFaint={state !== 'alive'}
      name={<span dir="auto">{apiKey.name}</span>}
      chips={
        <>
          {apiKey.id === me().apiKey?.id && <span class="chip good">{keyWords.thisSession}</span>}
          {state !== 'alive' && <span class="chip bad">{keyWords.state[state]}</span>}
          <span class="chip">{scopesText(apiKey.scopes)}</span>
        </>
      }
      about={[
        ...(isOfOthers ? [<bdi key="of">{keyWords.of(named(apiKey.memberId))}</bdi>] : []),
        <code key="prefix">{apiKey.prefix}…</code>,
        endText(apiKey),
        apiKey.lastUsedAt === null ? keyWords.unused : keyWords.used(momentText(apiKey.lastUsedAt)),
        <bdi key="made">{keyWords.made(momentText(apiKey.createdAt), by, withKey)}</bdi>,
      ]}
      actions={
        state === 'alive' &&
        mayWrite() &&
        mayActOn(apiKey.memberId) && (
          <>
            <button type="button" aria-label={`${keyWords.rotate} ${apiKey.name}`} onClick={() => onAsk('rotate')}>
              {keyWords.rotate}
            </button>
            <button
              type="button"
              class="dangerous"
              aria-label={`${keyWords.revoke} ${apiKey.name}`}
              onClick={() => onAsk('revoke')}
            >
              {keyWords.revoke}
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
  if (revokedAt !== null) return keyWords.revoked(momentText(revokedAt))
  if (expiresAt === null) return keyWords.noEnd
  const moment = momentText(expiresAt)
  return stateOf(apiKey) === 'expired' ? keyWords.expired(moment) : keyWords.expires(moment)
}

function scopesText(scopes: ApiKey['scopes']): string {
  const [one, other] = scopes
  return one !== undefined && other === undefined ? keyWords.scopes[one] : keyWords.scopes.both
}
