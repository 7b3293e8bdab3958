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
  typeof name === 'string' ? plain(name) : Array.isArray(name) ? name.map(plainName) : name
