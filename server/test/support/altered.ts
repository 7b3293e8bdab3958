/** The text with another character in one place, at its end where none is named: never the text itself. */
export function altered(text: string, at = text.length - 1): string {
  return text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1)
}
