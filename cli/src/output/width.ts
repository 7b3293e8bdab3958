import { eastAsianWidth } from 'get-east-asian-width'

/** How many columns of a terminal a text takes that holds nothing a terminal obeys. */
export function widthOf(text: string): number {
  if (isPlain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes().segment(text)) width += widthOfOne(segment)
  return width
}

const isPlain = /^[\x20-\x7e]*$/
const isInvisible = /^[\p{Mark}\p{Format}\p{Default_Ignorable_Code_Point}]+$/u
const isEmoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u

// it takes a moment to make, and most texts need none
let made: Intl.Segmenter | undefined
const graphemes = () => (made ??= new Intl.Segmenter())

/** Of what a reader takes for one character. */
function widthOfOne(segment: string): number {
  if (isInvisible.test(segment)) return 0
  return isEmoji.test(segment) ? 2 : eastAsianWidth(segment.codePointAt(0) ?? 0)
}

/** The text in at most so many columns; `…` stands for what was cut. */
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

/** The text with spaces behind it, or before it, in so many columns. */
export function padded(text: string, width: number, toTheRight = false): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)))
  return toTheRight ? spaces + text : text + spaces
}
