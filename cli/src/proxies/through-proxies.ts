import { EnvHttpProxyAgent, fetch } from 'undici'
import type { Fetch, Proxies } from './proxies.ts'

/** A fetch that goes through proxies. */
export function fetchThrough(proxies: Proxies): Fetch {
  // of http a proxy is asked for the whole URL, as curl does: many allow tunnels to port 443 only
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, proxyTunnel: false })
  return async (url, init) => {
    const response = await fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1])
    // another copy of the class that Node has
    return response as unknown as Response
  }
}
