import { errorCodes } from '../contract/error-codes.ts'
import { formOfIfMatch } from '../operations/etags.ts'
import type { Json } from './schemas.ts'

const string = (maxLength: number, pattern: string, example: string) => ({
  schema: { type: 'string', minLength: 1, maxLength, pattern, examples: [example] },
})
const seconds = { schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647, examples: [1] } }

const exampleTag = '"0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f.1"'

// what is no ETag of ours only matches nothing. @see RFC 9110 §5.5
const fieldValue = { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' }

/** The headers of answers. Those that are required come whenever the answer names them, the others where they apply. */
export const responseHeaders: Record<string, Json> = {
  'X-Request-Id': {
    description: 'The id that the request was sent with, or a new one; quote it when you report a problem.',
    required: true,
    ...string(128, '^[\\w.-]{1,128}$', '1f0e5f0a-3c1e-4a55-9d1b-6f2d8c0b7a11'),
  },
  'X-Error-Code': {
    description: 'The cause, for machines: one of those that are listed, or one that a later version has.',
    required: true,
    schema: {
      anyOf: [
        { type: 'string', enum: Object.keys(errorCodes), examples: ['not_found'] },
        { type: 'string', minLength: 1, maxLength: 64, pattern: '^[a-z][a-z_]*$', examples: ['not_found'] },
      ],
    },
  },
  ETag: {
    description:
      'Of a resource its id and version, for If-None-Match and If-Match; of a list or a report what stands for it until something ' +
      'is written, for If-None-Match. After these come the selected fields and the encoding of a compressed answer.',
    required: true,
    ...string(
      112,
      '^"([0-9a-f-]{36}(\\.[0-9a-f-]{36})?\\.[0-9]+(\\.[0-9a-f]{8})?|[\\w-]{22}\\.[0-9]+\\.[0-9]+)(-gzip)?"$',
      exampleTag,
    ),
  },
  Location: {
    description: 'Where the created resource lives: a path, which begins with that of PUBLIC_URL.',
    required: true,
    ...string(200, '/api/v1/', '/api/v1/tags/0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'),
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', required: true, ...seconds },
  'WWW-Authenticate': { description: 'How to authenticate.', required: true, ...string(16, '^Bearer$', 'Bearer') },
  Accept: {
    description: 'What may be sent.',
    required: true,
    ...string(32, '^application/json$', 'application/json'),
  },
  'Accept-Encoding': {
    description: 'Comes when the body had a Content-Encoding: none is understood.',
    ...string(8, '^identity$', 'identity'),
  },
  'Idempotent-Replayed': {
    description: 'Comes with the stored answer of an earlier POST that had the same Idempotency-Key.',
    ...string(4, '^true$', 'true'),
  },
  'Dry-Run': {
    description: 'Comes when the request asked for a dry run, also where that is refused: nothing was done.',
    ...string(4, '^true$', 'true'),
  },
  'Revoked-Keys': {
    description: 'How many keys this request revoked: the named one, and those that were made with it.',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647, examples: [3] },
  },
  RateLimit: {
    description: 'What is left of the rate limit (r) for how many seconds (t), where the server has one.',
    ...string(64, '^"default";r=\\d+;t=\\d+$', '"default";r=599;t=60'),
  },
  'RateLimit-Policy': {
    description: 'The rate limit: requests (q) in seconds (w), where the server has one.',
    ...string(64, '^"default";q=\\d+;w=\\d+$', '"default";q=600;w=60'),
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the browser that asks, where the server lets it.',
    ...string(253, '^https?://\\S+$', 'https://app.example.com'),
  },
}

/** References to response headers by their names. */
export const headersNamed = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The parameters that many operations share. */
export const sharedParameters: Record<string, Json> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to send again: it takes effect once. Visible ASCII, bare or in quotes.',
    ...string(
      512,
      '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
      '8e03978e-40d5-43dd-bc93-6894a57f9324',
    ),
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Of a stream: the id of the last event that was seen. It goes before `cursor` and `after`.',
    schema: { type: 'string', maxLength: 16, pattern: '^[0-9]*$', examples: ['1204'] },
  },
  DryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'Whether everything is checked and answered as it would be, and then undone.',
    schema: { type: 'boolean', default: false },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag that the client has: 304 while it is current.',
    schema: { ...fieldValue, examples: [exampleTag] },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag that the client read: 412 when it changed since. `*` is any.',
    schema: { type: 'string', pattern: formOfIfMatch.source, examples: ['*', exampleTag] },
  },
}
