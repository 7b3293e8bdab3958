import { errorCodes } from '../contract/error-codes.ts'
import { formOfIfMatch } from '../operations/etags.ts'
import type { Json } from './schemas.ts'

const string = (maxLength: number, pattern: string, example: string) => ({
  schema: { type: 'string', minLength: 1, maxLength, pattern, examples: [example] },
})
const seconds = { schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647, examples: [1] } }

const exampleTag = '"0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f.1"'

// any field value is valid: a foreign ETag just matches nothing. @see RFC 9110 §5.5
const fieldValue = { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' }

/** The response headers. If a response lists a required header, the header is always present; others only where they apply. */
export const responseHeaders: Record<string, Json> = {
  'X-Request-Id': {
    description: 'The id that you sent with the request, or a new one. Quote it when you report a problem.',
    required: true,
    ...string(128, '^[\\w.-]{1,128}$', '1f0e5f0a-3c1e-4a55-9d1b-6f2d8c0b7a11'),
  },
  'X-Error-Code': {
    description: 'The error code, for programs. It is one of the listed codes, or a code that a later version adds.',
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
      'For a resource: its id and version, for `If-None-Match` and `If-Match`. For a list or a report: a tag that ' +
      'stays the same until something is written, for `If-None-Match`. The tag also names the selected fields and ' +
      'the encoding of a compressed response.',
    required: true,
    ...string(
      112,
      '^"([0-9a-f-]{36}(\\.[0-9a-f-]{36})?\\.[0-9]+(\\.[0-9a-f]{8})?|[\\w-]{22}\\.[0-9]+\\.[0-9]+)(-gzip)?"$',
      exampleTag,
    ),
  },
  Location: {
    description: 'The path of the created resource. It begins with the path of PUBLIC_URL.',
    required: true,
    ...string(200, '/api/v1/', '/api/v1/tags/0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'),
  },
  'Retry-After': { description: 'The number of seconds to wait before you try again.', required: true, ...seconds },
  'WWW-Authenticate': { description: 'How to authenticate.', required: true, ...string(16, '^Bearer$', 'Bearer') },
  Accept: {
    description: 'The content type that the server accepts.',
    required: true,
    ...string(32, '^application/json$', 'application/json'),
  },
  'Accept-Encoding': {
    description: 'Sent if the body had a Content-Encoding. The server accepts none.',
    ...string(8, '^identity$', 'identity'),
  },
  'Idempotent-Replayed': {
    description: 'Sent with a replay: the stored response to an earlier POST with the same Idempotency-Key.',
    ...string(4, '^true$', 'true'),
  },
  'Dry-Run': {
    description: 'Sent if the request asked for a dry run, even if it was refused. Nothing was saved.',
    ...string(4, '^true$', 'true'),
  },
  'Revoked-Keys': {
    description: 'The number of keys that this request revoked: the named key and the keys that were created with it.',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647, examples: [3] },
  },
  RateLimit: {
    description:
      'The requests that are left (r) in the rate limit, and the seconds until it resets (t). Sent if the server ' +
      'has a rate limit.',
    ...string(64, '^"default";r=\\d+;t=\\d+$', '"default";r=599;t=60'),
  },
  'RateLimit-Policy': {
    description: 'The rate limit: requests (q) in a number of seconds (w). Sent if the server has a rate limit.',
    ...string(64, '^"default";q=\\d+;w=\\d+$', '"default";q=600;w=60'),
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the web page that sent the request, if the server allows it.',
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
    description:
      'Makes the request safe to repeat: it takes effect only once. Visible ASCII characters, with or without ' +
      'double quotes.',
    ...string(
      512,
      '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
      '8e03978e-40d5-43dd-bc93-6894a57f9324',
    ),
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'For a stream: the id of the last event that you received. It overrides `cursor` and `after`.',
    schema: { type: 'string', maxLength: 16, pattern: '^[0-9]*$', examples: ['1204'] },
  },
  DryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'If true, the server checks the request and responds as usual, but saves nothing.',
    schema: { type: 'boolean', default: false },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of your copy. The response is 304 if the copy is still current.',
    schema: { ...fieldValue, examples: [exampleTag] },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag that you read. The response is 412 if the resource has changed since then. `*` matches any version.',
    schema: { type: 'string', pattern: formOfIfMatch.source, examples: ['*', exampleTag] },
  },
}
