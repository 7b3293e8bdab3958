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

/** What the paths need to answer. */
interface OpenPathOptions {
  db: Database
  authenticator: Authenticator
  metrics: Metrics
  routes: readonly Route[]
  eventTypes: Parameters<typeof openapi>[1]
  version: string
  /** where clients reach the server, without a slash at the end */
  publicUrl?: string | undefined
  compression: boolean
  /** the host that the server listens on */
  host?: string | undefined
  /** what the database must take for the server to be ready */
  readyWhen?: 'reads' | 'writes' | undefined
  /** whether the server is about to end */
  isEnding(): boolean
}

/** Answers a GET. @param compressed the answer as its reader accepts it @param path without its query */
type OpenAnswer = (
  asked: Headers,
  compressed: (answer: Answer) => Promise<Answer>,
  path: string,
) => Answer | Promise<Answer>

/**
 * What is answered without an API key, by path: whether the server works, how it does, and what there is to read of it. `*` is
 * whatever stands below.
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
    // made for the first who asks: it would take a tenth of each start
    [`${prefix}/openapi.json`, madeWhenAsked(document, json, { compression })],
    ...readDocsPage(options),
    ...['/console', '/console/*'].map((path): [string, OpenAnswer] => [
      path,
      (asked, _, path) => inConsole(asked, path),
    ]),
    // relative, as a proxy may have taken a path off
    ['/', () => ({ status: 302, headers: { location: 'docs' }, body: undefined })],
  ])
}

const said = (body: object): Answer => ({
  status: 200,
  headers: { 'content-type': json },
  body: JSON.stringify(body),
})
