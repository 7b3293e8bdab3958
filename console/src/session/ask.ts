import { Taskwright } from '@taskwright/client'
import { serverUrl } from '../router/server-url.ts'
import { session } from './session.ts'

const anonymous = new Taskwright({ baseUrl: serverUrl.href, auth: 'session', retries: 0 })

/** Sends a request about signing in. It goes out once: a repeated wrong password would count twice. */
export async function ask<T = void>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  const now = session.peek()
  const client = now?.by === 'session' ? now.tw : anonymous
  return (await client.request(method, path, { retries: 0, signal, ...(body !== undefined && { body }) })) as T
}
