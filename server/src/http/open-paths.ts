import type { Authenticator } from '../access/auth.ts'
import { unavailable } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import type { Database } from '../db/pool/database.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { openapi } from '../openapi/openapi.ts'
import { type Answer, json, prefix } from '../operations/answer.ts'
import type { Route } from '../operations/route.ts'
import { readConsole } from './console.ts'
import { readDocsPage } from './docs-page.ts'
import { shuttingDown } from './errors.ts'
import { refuseForeignHost } from './headers.ts'
import { madeWhenAsked } from './static-answer.ts'

interface OpenPathOptions {
  db: Database
  authenticator: Authenticator
  metrics: Metrics
  routes: readonly Route[]
  eventTypes: Parameters<typeof openapi>[1]
  version: string
  /** the base URL that clients use, without a slash at the end */
  publicUrl?: string | undefined
  compression: boolean
  /** the host that the server listens on */
  host?: string | undefined
  /** the access that the database must allow before /readyz reports ready */
  readyWhen?: 'reads' | 'writes' | undefined
  /** whether the server is stopping */
  isEnding(): boolean
}

/** Answers a GET. @param compressed compresses the response if the client accepts that @param path without the query */
type OpenAnswer = (
  asked: Headers,
  compressed: (answer: Answer) => Promise<Answer>,
  path: string,
) => Answer | Promise<Answer>

/**
 * The paths that need no API key: health checks, metrics, the OpenAPI document, the docs and the console. `*` matches every path
 * below.
 */
export function openPaths(options: OpenPathOptions): ReadonlyMap<string, OpenAnswer> {
  const { db, authenticator, metrics, compression } = options
  const inConsole = readConsole(compression)
  const document = () => JSON.stringify(openapi(options.routes, options.eventTypes, options.version, options.publicUrl))
  return new Map<string, OpenAnswer>([
    ['/healthz', () => said({ status: 'ok' })],
    [
      '/readyz',
      async () => {
        if (options.isEnding()) throw shuttingDown
        const writes = await db.takesWrites()
        if (!writes && options.readyWhen === 'writes') throw unavailable('The database does not accept writes')
        return said({ status: 'ready', writes })
      },
    ],
    [
      '/metrics',
      async (asked, compressed) => {
        if (!(await authenticator.operatorIfAny(asked))) refuseForeignHost(asked.host, options.host)
        const headers = { 'content-type': metrics.contentType }
        return compressed({ status: 200, headers, body: await metrics.text() })
      },
    ],
    // built at the first request: it would take a tenth of each start
    [`${prefix}/openapi.json`, madeWhenAsked(document, json, { compression })],
    ...readDocsPage(options),
    ...['/console', '/console/*'].map((path): [string, OpenAnswer] => [
      path,
      (asked, _, path) => inConsole(asked, path),
    ]),
    // relative, because a proxy may have removed a path prefix
    ['/', () => ({ status: 302, headers: { location: 'docs' }, body: undefined })],
  ])
}

const said = (body: object): Answer => ({
  status: 200,
  headers: { 'content-type': json },
  body: JSON.stringify(body),
})
