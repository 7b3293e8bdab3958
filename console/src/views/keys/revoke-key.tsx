import { useSignal } from '@preact/signals'
import type { ApiKey } from '@taskwright/client'
import { Confirm } from '../../parts/confirm.tsx'
import { signOutOfKey } from '../../session/key-sign-in.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'

/** Explains the effect, then revokes a key and, by default, all keys that were created with it. */
export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const keepsDescendants = useSignal(false)
  const isOwn = id === me().apiKey?.id
  return (
    <Confirm
      isDangerous
      title={words.keys.revokeTitle(name)}
      submit={words.keys.revoke}
      write={() => tw().apiKeys.delete(id, { descendants: !keepsDescendants.value })}
      said={words.keys.revokedNow(name)}
      onClose={onClose}
      onDone={() => {
        if (isOwn) signOutOfKey(words.keys.ownRevoked)
      }}
    >
      <p>{words.keys.revokeLead}</p>
      {isOwn && <p class="failure">{words.keys.revokeOwn}</p>}
      <label class="check">
        <input
          type="checkbox"
          checked={keepsDescendants.value}
          onChange={({ currentTarget }) => {
            keepsDescendants.value = currentTarget.checked
          }}
        />
        <span>{words.keys.keepDescendants}</span>
      </label>
    </Confirm>
  )
}
