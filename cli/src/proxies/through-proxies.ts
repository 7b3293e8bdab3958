import { EnvHttpProxyAgent, fetch } from 'undici'
import type { Fetch, Proxies } from './proxies.ts'

/** A fetch that uses proxies. */
export function fetchThrough(proxies: Proxies): Fetch {
  // for http, request the whole URL, as curl does: many proxies allow tunnels to port 443 only
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, proxyTunnel: false })
  return async (url, init) => {
    const response = await fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1])
    // a copy of Node's own class
    return response as unknown as Response
  }
}
