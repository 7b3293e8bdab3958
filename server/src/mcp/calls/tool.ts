import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import type { ArgumentSchema } from './arguments.ts'
import type { Call, WriteLine } from './call.ts'

/** A tool that agents can call. */
export interface Tool {
  name: string
  input: z.ZodType
  /** the input as JSON Schema */
  schema: ArgumentSchema
  /** the writes that the tool can run, besides any reads; their methods decide its annotations */
  writes: readonly WriteLine[]
  /** @returns the text of the result */
  run(call: Call, input: unknown): Promise<string>
  /** the entry in tools/list */
  listed: ListedTool
}

interface ListedTool {
  name: string
  description: string
  inputSchema: { type: 'object'; [name: string]: unknown }
  annotations: Record<string, boolean>
}

/** An argument of tools that write: calls with the same key take effect once. @see docs/agents.md */
const idempotencyKey = z.string().min(1).max(200).optional()

/** Defines a tool: its arguments, its writes and its code. */
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
 * The JSON Schema of arguments, without keywords that some model providers refuse: `additionalProperties`, defaults and bounds.
 * The tool checks the bounds itself.
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

/** A write that overwrites is destructive; creating or moving is not. Every write has a key, so repeating a call is safe. */
function annotationsOf(writes: readonly WriteLine[]): Record<string, boolean> {
  if (writes.length === 0) return { readOnlyHint: true, openWorldHint: false }
  const destructiveHint = writes.some((line) => /^(PATCH|DELETE) /.test(line))
  return { readOnlyHint: false, destructiveHint, idempotentHint: true, openWorldHint: false }
}

/** Whether a key can use a tool. Every tool reads, at least to look up names. */
export const isOpenTo = ({ scopes }: Caller, { writes }: Tool): boolean =>
  scopes.includes('read') && (writes.length === 0 || scopes.includes('write'))
