export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Which proxies requests go through, by their URLs; an empty one is none. */
export interface Proxies {
  httpProxy: string
  httpsProxy: string
  noProxy: string
}
