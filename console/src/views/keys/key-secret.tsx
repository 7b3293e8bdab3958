import type { NewApiKey } from '@taskwright/client'
import { tell } from '../../act/notices.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { goOnWith } from '../../session/key-sign-in.ts'
import { isSigningIn, me } from '../../session/session.ts'
import { keyWords } from './key-words.ts'

interface KeySecretProps {
  made: NewApiKey
  onClose: () => void
}

/** Shows the secret of a new key. After rotating the current key, the user can continue with the new one. */
export function KeySecret({ made: { name, memberId, secret, createdWith }, onClose }: KeySecretProps) {
  const { member, apiKey } = me()
  const mayGoOn = apiKey !== null && memberId === member.id && createdWith === apiKey.id && name === apiKey.name
  const goOn = async () => {
    if (await goOnWith(secret)) tell(keyWords.usedHere)
  }
  return (
    <SecretOnce title={keyWords.secretTitle(name)} secret={secret} onClose={onClose}>
      <p>{keyWords.secretLead}</p>
      {mayGoOn && (
        <div>
          <button type="button" aria-disabled={isSigningIn.value} onClick={() => void goOn()}>
            {keyWords.useHere}
          </button>
        </div>
      )}
    </SecretOnce>
  )
}
