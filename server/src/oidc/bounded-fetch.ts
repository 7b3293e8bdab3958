import type { CustomFetch } from 'openid-client'
import { OidcProblem } from './problem.ts'

const mostBytes = 512 * 1024

/**
 * Sends a request to a provider and reads the whole response, up to 512 KiB. The library gives the signal of the timeout, which
 * also ends a body that comes too slowly.
 * @throws OidcProblem if the provider cannot be reached or sends too much
 */
export const boundedFetch: CustomFetch = async (url, options) => {
  const { host } = new URL(url)
  try {
    // the library's type of the options is that of fetch but for its names
    const response = await fetch(url, options as RequestInit)
    const body = await readBody(response, host)
    const { status, headers } = response
    return new Response(isWithoutBody(status) ? null : body, { status, headers })
  } catch (error) {
    if (error instanceof OidcProblem) throw error
    throw new OidcProblem('provider_unreachable', `${host} did not answer: ${reasonOf(error)}`, { cause: error })
  }
}

const isWithoutBody = (status: number) => status === 204 || status === 205 || status === 304

async function readBody({ body }: Response, host: string): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > mostBytes) throw new OidcProblem('provider_misconfigured', `${host} sent more than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'no complete response in time'
  const { cause } = error
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : error.message
}
