/** A value in TypeScript. */
export const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : JSON.stringify(value)

/** A union of types without duplicates. */
export const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
