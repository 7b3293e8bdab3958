import { z } from 'zod'

/** What tests read of a field in a published schema. */
export interface Field {
  format?: string
  pattern?: string
  enum?: unknown[]
  examples?: unknown[]
  required?: string[]
  properties?: Record<string, Field>
}

const made = new WeakMap<z.ZodType, Field>()

/** A schema as it is published; made once of each, as tests ask for the same ones all the time. */
export function published(schema: z.ZodType = z.never()): Field {
  const known = made.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field)
  made.set(schema, known)
  return known
}
