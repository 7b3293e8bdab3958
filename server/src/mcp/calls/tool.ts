import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import type { ArgumentSchema } from './arguments.ts'
import type { Call, WriteLine } from './call.ts'

/** A task that people give, as agents call it. */
export interface Tool {
  name: string
  input: z.ZodType
  /** the same as JSON Schema */
  schema: ArgumentSchema
  /** the writes that it may run, besides any reads; its annotations follow from their methods */
  writes: readonly WriteLine[]
  /** @returns the text of its answer */
  run(call: Call, input: unknown): Promise<string>
  /** as tools/list shows it */
  listed: ListedTool
}

interface ListedTool {
  name: string
  description: string
  inputSchema: { type: 'object'; [name: string]: unknown }
  annotations: Record<string, boolean>
}

/** Of tools that write: calls with the same one take effect once. @see docs/agents.md */
const idempotencyKey = z.string().min(1).max(200).optional()

/** The one definition of a tool: its arguments, what it may do, and what it does. */
export function tool<Shape extends z.core.$ZodLooseShape>(
  name: string,
  definition: {
    description: string
    input: Shape
    writes?: readonly WriteLine[]
    run(call: Call, input: z.output<z.ZodObject<Shape>>): Promise<string>
  },
): Tool {
  const { description, writes = [] } = definition
  const input = z.strictObject(writes.length > 0 ? { ...definition.input, idempotencyKey } : definition.input)
  const schema = schemaOf(input)
  return {
    ...{ name, input, schema, writes },
    run(call, given) {
      const { idempotencyKey, ...said } = given as { idempotencyKey?: string }
      return definition.run(call, said as z.output<z.ZodObject<Shape>>)
    },
    listed: {
      ...{ name, description, annotations: annotationsOf(writes) },
      inputSchema: { ...schema, type: 'object' },
    },
  }
}

const portable = ['type', 'description', 'enum', 'items', 'properties', 'required']

/**
 * The JSON Schema of arguments, without what some providers of models refuse: `additionalProperties`, defaults and bounds. A
 * call that breaks a bound is refused with a sentence instead.
 */
function schemaOf(input: z.ZodType): ArgumentSchema {
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const keyword in jsonSchema) if (!portable.includes(keyword)) delete jsonSchema[keyword]
    },
  })
  return schema as ArgumentSchema
}

/** What overwrites is destructive, what adds or moves is not. Every write has a key, so a repeated call does nothing more. */
function annotationsOf(writes: readonly WriteLine[]): Record<string, boolean> {
  if (writes.length === 0) return { readOnlyHint: true, openWorldHint: false }
  const destructiveHint = writes.some((line) => /^(PATCH|DELETE) /.test(line))
  return { readOnlyHint: false, destructiveHint, idempotentHint: true, openWorldHint: false }
}

/** Whether a key may use a tool: all of them read, if only to know what names stand for. */
export const isOpenTo = ({ scopes }: Caller, { writes }: Tool): boolean =>
  scopes.includes('read') && (writes.length === 0 || scopes.includes('write'))
