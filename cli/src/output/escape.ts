// what moves the cursor, colours, rings, or turns the direction of what follows
const obeyed = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff'
// bounded: they repeat nothing
const control = new RegExp(`[${obeyed}]`, 'g')
const controlInLines = new RegExp(`(?!\\n)[${obeyed}]`, 'g')

const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (one: string) => named[one] ?? `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** A text in one line in which nothing is left that a terminal would obey. */
export const inOneLine = (text: string) => text.replace(control, escaped)

/** The same with its lines. */
export const inLines = (text: string) => text.replaceAll('\r\n', '\n').replace(controlInLines, escaped)

/** JSON that means the same, without what a terminal would obey. */
export const safeJson = (json: string) => inLines(json)
