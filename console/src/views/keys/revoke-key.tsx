import { useSignal } from '@preact/signals'
import type { ApiKey } from '@taskwright/client'
import { Confirm } from '../../parts/confirm.tsx'
import { signOutOfKey } from '../../session/key-sign-in.ts'
import { me, tw } from '../../session/session.ts'
import { keyWords } from './key-words.ts'

/** Explains the effect, then revokes a key and, by default, all keys that were created with it. */
export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const keepsDescendants = useSignal(false)
  const isOwn = id === me().apiKey?.id
  return (
    <Confirm
      isDangerous
      title={keyWords.revokeTitle(name)}
      submit={keyWords.revoke}
      write={() => tw().apiKeys.delete(id, { descendants: !keepsDescendants.value })}
      said={keyWords.revokedNow(name)}
      onClose={onClose}
      onDone={() => {
        if (isOwn) signOutOfKey(keyWords.ownRevoked)
      }}
    >
      <p>{keyWords.revokeLead}</p>
      {isOwn && <p class="failure">{keyWords.revokeOwn}</p>}
      <label class="check">
        <input
          type="checkbox"
          checked={keepsDescendants.value}
          onChange={({ currentTarget }) => {
            keepsDescendants.value = currentTarget.checked
          }}
        />
        <span>{keyWords.keepDescendants}</span>
      </label>
    </Confirm>
  )
}
