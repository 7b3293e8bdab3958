import { Lazily } from './frame/lazily.tsx'
import { Shell } from './frame/shell.tsx'
import { arrival } from './session/arrival.ts'
import { keptKey } from './session/kept-key.ts'
import { hasSession } from './session/kept-session.ts'
import { choosing } from './session/person.ts'
import { isSigningIn, session } from './session/session.ts'
import { words } from './words.ts'

const loadSignIn = () => import('./sign-in/sign-in.tsx')
const loadChoice = () => import('./sign-in/choose-organization.tsx')
const linkPages = {
  welcome: () => import('./sign-in/welcome.tsx'),
  invitation: () => import('./sign-in/invitation.tsx'),
  reset: () => import('./sign-in/reset.tsx'),
}

/** The whole page: the page of a link, sign-in, or the shell with its views. */
export function App() {
  const link = arrival.value
  if (link) return <Lazily key={link.token} load={linkPages[link.by]} props={{ token: link.token }} />
  if (session.value) return <Shell key={session.value.me.member.id} />
  if (choosing.value !== undefined) return <Lazily key="choice" load={loadChoice} props={{}} />
  if (!isSigningIn.value || (keptKey() === undefined && !hasSession()))
    return <Lazily key="sign-in" load={loadSignIn} props={{}} />
  return (
    <p class="starting" role="status">
      {words.session.under}
    </p>
  )
}
