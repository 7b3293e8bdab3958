import { tell } from '../act/notices.ts'
import { words } from '../words.ts'

/** Copies a text and says so; where the page has no clipboard, as without https, it tells the text itself, to be copied by hand. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(said)
  } catch {
    tell(words.notices.copyYourself(text), { isFailure: true })
  }
}
