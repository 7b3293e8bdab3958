import { tell } from '../act/notices.ts'
import { words } from '../words.ts'

/** Copies a text and says so. Without a clipboard (no https), shows the text, so that the user can copy it by hand. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(said)
  } catch {
    tell(words.notices.copyYourself(text), { isFailure: true })
  }
}
