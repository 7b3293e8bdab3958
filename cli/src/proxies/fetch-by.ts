import { WrongUse } from '../problems.ts'
import type { Terminal } from '../terminal.ts'
import type { Fetch, Proxies } from './proxies.ts'

/**
 * Sends requests through the proxies in the environment, if any. Node does this itself only from version 24.
 * @throws WrongUse for an invalid proxy URL
 */
export function fetchBy(env: Terminal['env']): Fetch {
  const proxies = proxiesIn(env)
  if (proxies === undefined) return (url, init) => fetch(url, init)
  for (const proxy of [proxies.httpProxy, proxies.httpsProxy]) refuseUnusable(proxy)
  let loaded: Promise<Fetch> | undefined
  return async (url, init) => {
    loaded ??= import('./through-proxies.ts').then(({ fetchThrough }) => fetchThrough(proxies))
    return (await loaded)(url, init)
  }
}

/**
 * Reads proxies as curl does: lower case first, and ALL_PROXY for the rest. It never uses a proxy for a server on this machine.
 */
export function proxiesIn(env: Terminal['env']): Proxies | undefined {
  const named = (name: string) => env[name] || env[name.toUpperCase()] || ''
  const proxy = (name: string) => (named(name) || named('all_proxy')).replace(/^(?!\w+:\/\/)(?=.)/, 'http://')
  const [httpProxy, httpsProxy] = [proxy('http_proxy'), proxy('https_proxy')]
  if (httpProxy + httpsProxy === '') return undefined
  return { httpProxy, httpsProxy, noProxy: `${named('no_proxy')},localhost,127.0.0.1,[::1]` }
}

function refuseUnusable(proxy: string): void {
  if (proxy === '' || (URL.canParse(proxy) && /^(https?|socks5?):\/\//.test(proxy))) return
  const shown = proxy.replace(/^(\w+:\/\/).*@/, '$1…@')
  throw new WrongUse(
    `'${shown}' is not a proxy URL such as http://proxy.example.com:3128. Check HTTPS_PROXY and HTTP_PROXY.`,
  )
}
