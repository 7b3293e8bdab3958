import { eastAsianWidth } from 'get-east-asian-width'

/** The width of a text in terminal columns. The text must have no control characters. */
export function widthOf(text: string): number {
  if (isPlain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes().segment(text)) width += widthOfOne(segment)
  return width
}

const isPlain = /^[\x20-\x7e]*$/
const isInvisible = /^[\p{Mark}\p{Format}\p{Default_Ignorable_Code_Point}]+$/u
const isEmoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u

// created on demand: it takes a moment, and most texts do not need it
let made: Intl.Segmenter | undefined
const graphemes = () => (made ??= new Intl.Segmenter())

/** The width of one grapheme. */
function widthOfOne(segment: string): number {
  if (isInvisible.test(segment)) return 0
  return isEmoji.test(segment) ? 2 : eastAsianWidth(segment.codePointAt(0) ?? 0)
}

/** Shortens a text to so many columns, with `…` for the rest. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let taken = 0
  for (const { segment } of graphemes().segment(text)) {
    taken += widthOfOne(segment)
    if (taken > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Pads a text with spaces after it, or before it, to so many columns. */
export function padded(text: string, width: number, toTheRight = false): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)))
  return toTheRight ? spaces + text : text + spaces
}
