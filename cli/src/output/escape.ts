// characters that move the cursor, change colors, ring the bell, or change the text direction
const obeyed = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff'
// bounded: these patterns have no repetition
const control = new RegExp(`[${obeyed}]`, 'g')
const controlInLines = new RegExp(`(?!\\n)[${obeyed}]`, 'g')

const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (one: string) => named[one] ?? `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** A text in one line, without characters that a terminal would obey. */
export const inOneLine = (text: string) => text.replace(control, escaped)

/** A text with its line breaks, without other characters that a terminal would obey. */
export const inLines = (text: string) => text.replaceAll('\r\n', '\n').replace(controlInLines, escaped)

/** Equivalent JSON, without characters that a terminal would obey. */
export const safeJson = (json: string) => inLines(json)
