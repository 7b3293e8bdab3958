import { Shell } from './frame/shell.tsx'
import { session } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'

/** The whole page: sign-in, or the shell with its views. */
export function App() {
  return session.value === null ? <SignIn /> : <Shell key={session.value.me.member.id} />
}
