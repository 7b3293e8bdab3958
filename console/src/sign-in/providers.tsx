import { act } from '../act/act.ts'
import { ask } from '../session/ask.ts'
import { awaitSession } from '../session/kept-session.ts'
import { signInWords } from './sign-in-words.ts'
import type { Provider } from './ways.ts'

interface ProvidersProps {
  of: readonly Provider[]
  invitation?: string | undefined
  /** links the account to the signed-in person */
  links?: boolean
  label?: (name: string) => string
  onFailure: (sentence: string) => void
}

/** A button for each provider. It leaves the page, and the provider sends the browser back. */
export function Providers({
  of,
  invitation,
  links = false,
  label = signInWords.signIn.provider,
  onFailure,
}: ProvidersProps) {
  const leave = async ({ issuer }: Provider) => {
    const body = {
      issuer,
      returnTo: location.pathname + location.search,
      ...(invitation !== undefined && { invitation }),
      ...(links && { link: true }),
    }
    const outcome = await act(() => ask<{ url: string }>('POST', '/auth/oidc/start', body), { isQuiet: true })
    if (!outcome.done) return onFailure(outcome.sentence)
    if (!links) awaitSession()
    location.assign(outcome.value.url)
  }
  return (
    <>
      {of.map((provider) => (
        <button key={provider.issuer} type="button" onClick={() => void leave(provider)}>
          {label(provider.name)}
        </button>
      ))}
    </>
  )
}
