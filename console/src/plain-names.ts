// these characters can reverse the direction of all text after them, to the end of the line
const turning = /[\u202A-\u202E\u2066-\u2069]/g

/** Removes characters that would change the direction of the surrounding sentence. */
export const plain = (text: string): string => text.replace(turning, '')

/** All texts, with functions that make the names in a sentence safe for its direction. */
export function withPlainNames<T>(said: T): T {
  if (typeof said === 'function') return ((...names: unknown[]) => said(...names.map(plainName))) as T
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return said
  return Object.fromEntries(Object.entries(said).map(([name, each]) => [name, withPlainNames(each)])) as T
}

const plainName = (name: unknown): unknown =>
  typeof name === 'string' ? apart(name) : Array.isArray(name) ? name.map(plainName) : name

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const apartOrTurning = /(\u2068[^\u202A-\u202E\u2066-\u2069]*\u2069)|[\u202A-\u202E\u2066-\u2069]/g

/** Isolates a right-to-left name, so that the line around it keeps its order. */
export function apart(name: string): string {
  const text = name.replace(apartOrTurning, '$1')
  // do not isolate a text that already contains isolated names
  return rightToLeft.test(text) && !text.includes('\u2068') ? `\u2068${text}\u2069` : text
}
