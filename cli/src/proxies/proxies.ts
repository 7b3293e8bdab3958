export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The URLs of the proxies; empty for no proxy. */
export interface Proxies {
  httpProxy: string
  httpsProxy: string
  noProxy: string
}
