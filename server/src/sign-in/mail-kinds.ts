import type { MailKinds } from '../mail/kinds.ts'
import { signInChanged } from '../mail/sign-in-changed.ts'
import { testMail } from '../mail/test-mail.ts'
import { passwordReset } from './forgotten-passwords.ts'
import { invitationMail } from './invitation-mail.ts'

/** All kinds of mail. */
export const mailKinds: MailKinds = {
  invitation: invitationMail,
  password_reset: passwordReset,
  sign_in_changed: signInChanged,
  test: testMail,
}
