import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../client.ts'
import { inOneLine } from '../output/escape.ts'
import { InterruptedError, NotSignedIn } from '../problems.ts'
import type { Terminal } from '../terminal.ts'
import { openInBrowser } from '../web/browser.ts'
import { clientOf } from './connection.ts'

interface BegunLogin {
  deviceCode: string
  userCode: string
  verificationUriComplete: string
  expiresIn: number
  interval: number
}

const slowDownMs = 5_000

/**
 * Signs in with a browser: shows a code, and waits until the user approves it in the console.
 * @returns the new API key
 * @throws NotSignedIn if the login is denied or nobody approves it in time
 * @see RFC 8628
 */
export async function keyByBrowser(url: string, terminal: Terminal, timeout?: string): Promise<string> {
  const { out, interrupted } = terminal
  // these requests need no key, so they send none that works
  const { request } = bound(clientOf({ url, key: 'none' }, terminal, timeout))
  const body = { name: `tw on ${hostname()}`.slice(0, 100) }
  const login = (await request('POST', '/auth/device', { body }).catch(explainOlder)) as BegunLogin
  out.write(`Approve this login in your browser, if it shows the code ${inOneLine(login.userCode)}:\n`)
  await openInBrowser(login.verificationUriComplete, terminal)
  const endsAtMs = performance.now() + login.expiresIn * 1_000
  for (let pauseMs = login.interval * 1_000; performance.now() < endsAtMs; ) {
    await wait(pauseMs, undefined, { signal: interrupted }).catch(() => {
      throw new InterruptedError()
    })
    try {
      const { secret } = (await request('POST', '/auth/device/token', { body: { deviceCode: login.deviceCode } })) as {
        secret: string
      }
      return secret
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'slow_down') pauseMs += slowDownMs
      else if (code === 'access_denied') throw new NotSignedIn('The login was denied. Nothing was stored.')
      else if (code === 'expired_token') break
      else if (code !== 'authorization_pending') throw error
    }
  }
  throw new NotSignedIn('Nobody approved the login in time. Nothing was stored. Run tw login again.')
}

const bound = (client: ReturnType<typeof clientOf>) => ({ request: client.request.bind(client) })

function explainOlder(error: unknown): never {
  throw error instanceof ApiError && error.status === 404
    ? new NotSignedIn('This server does not offer the login by browser. Run tw login again and paste an API key.')
    : error
}
