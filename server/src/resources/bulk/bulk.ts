import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { ApiError, invalid, refused } from '../../contract/errors.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { formOfIfMatch } from '../../operations/etags.ts'
import { route } from '../../operations/route.ts'

const anything = '^[\\s\\S]*$'
const examples = ['"0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f.1"']

const Write = z.strictObject({
  method: z.enum(['POST', 'PATCH', 'DELETE']),
  path: z
    .string()
    .max(2_000, 'Must have at most 2000 characters')
    .regex(/^\//, 'Must be a path below /api/v1, such as /tasks')
    .meta({ description: 'The path below `/api/v1`.', examples: ['/tags'] }),
  body: z
    .custom<object>((body) => typeof body === 'object' && body !== null && !Array.isArray(body), 'Must be an object')
    .optional()
    .meta({
      ...{ description: 'The body that the operation takes.', examples: [{ name: 'Urgent' }] },
      ...{ type: 'object', additionalProperties: {} },
      propertyNames: { type: 'string', maxLength: 255, pattern: anything },
    }),
  ifMatch: z
    .string()
    .max(200, 'Must have at most 200 characters')
    .regex(formOfIfMatch, 'Must be an ETag as you received it, with its double quotes')
    .optional()
    .meta({ description: 'The ETag that the resource must still have.', examples }),
})

const Result = z.strictObject({
  status: z
    .int()
    .min(200)
    .max(299)
    .meta({ examples: [201] }),
  location: z
    .string()
    .max(200)
    .optional()
    .meta({ pattern: '/api/v1/', examples: ['/api/v1/tags/0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'] }),
  etag: z.string().max(100).optional().meta({ pattern: '^"[0-9a-f-]{36}(\\.[0-9a-f-]{36})?\\.[0-9]+"$', examples }),
  body: z
    .unknown()
    .meta({ description: 'The response body of the operation. Null if it has none.', examples: [{ name: 'Urgent' }] }),
})

export const bulk = [
  route('POST /bulk', {
    name: 'bulk',
    summary: 'Run several writes in one transaction',
    description:
      'Takes up to 100 writes. All of them take effect, or none. If one write is refused, nothing is written, and ' +
      'the response has the status of the first refused write. The error says which operation it was. For a wrong ' +
      'field, it gives the path, such as `operations.3.body.name` or `operations.3.query.moveTasksTo`.',
    roles: everyone,
    body: z.strictObject({
      operations: z
        .array(Write)
        .min(1, 'Must have at least 1 item')
        .max(100, 'Must have at most 100 items')
        .meta({ examples: [[{ method: 'POST', path: '/tags', body: { name: 'Urgent' } }]] }),
    }),
    returns: z
      .strictObject({ results: z.array(Result).max(100) })
      .meta({ id: 'BulkResults', description: 'One result for each operation, in the same order.' }),
    refuses: [404, 412],
    async handle({ body, runNested }) {
      const results: string[] = []
      let bytes = 0
      for (const [index, operation] of body.operations.entries()) {
        const result = await naming(index, async () => {
          const { status, headers, body } = await runNested(operation)
          bytes += Buffer.byteLength(body ?? '')
          if (bytes > mostBytes) throw tooLong
          const { location, etag } = headers
          return `${JSON.stringify({ status, location, etag }).slice(0, -1)},"body":${body ?? null}}`
        })
        results.push(result)
      }
      return new Prerendered<{ results: z.output<typeof Result>[] }>(`{"results":[${results.join()}]}`)
    },
  }),
]

// one result can have 300 kB; all results are in memory, and the server stores them for a replay
const mostBytes = 16_000_000

const tooLong = refused('The response would be longer than 16 MB; split the request into parts', 'answer_too_long')

/** Adds the number of the operation to an error. */
async function naming<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, message, code, headers, details, inQuery } = error
    const which = `operations.${index}`
    if (details === undefined) throw new ApiError(status, `${which}: ${message}`, code, { headers })
    const fields = Object.entries(details.fieldErrors).map(([field, messages]) => {
      return [`${which}.${inQuery.includes(field) ? 'query' : 'body'}.${field}`, messages]
    })
    throw invalid(
      Object.fromEntries(fields),
      details.formErrors.map((text) => `${which}: ${text}`),
    )
  }
}
