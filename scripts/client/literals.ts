/** A value in TypeScript. */
export const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : JSON.stringify(value)

/** A type and others that are as good. */
export const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
