// what stands behind one of these may run the other way, to the end of the line
const turning = /[\u202A-\u202E\u2066-\u2069]/g

/** A text without what would turn around the sentence that it stands in. */
export const plain = (text: string): string => text.replace(turning, '')

/** All that is said, where the names that sentences are made with turn nothing around. */
export function withPlainNames<T>(said: T): T {
  if (typeof said === 'function') return ((...names: unknown[]) => said(...names.map(plainName))) as T
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return said
  return Object.fromEntries(Object.entries(said).map(([name, each]) => [name, withPlainNames(each)])) as T
}

const plainName = (name: unknown): unknown =>
  typeof name === 'string' ? apart(name) : Array.isArray(name) ? name.map(plainName) : name

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const apartOrTurning = /(\u2068[^\u202A-\u202E\u2066-\u2069]*\u2069)|[\u202A-\u202E\u2066-\u2069]/g

/** A name that runs from right to left does so by itself, with its numbers and signs: the line it stands in goes on as it was. */
export function apart(name: string): string {
  const text = name.replace(apartOrTurning, '$1')
  // what is put together of such names is left as it is
  return rightToLeft.test(text) && !text.includes('\u2068') ? `\u2068${text}\u2069` : text
}
