import { ApiError, type CallOptions, type Taskwright } from '../client.ts'
import type { NamedItem } from './pick.ts'

/** Reads paths below /api/v1, each only once. */
export interface NameReader {
  /** @returns undefined if it is not found */
  one(path: string, query?: Record<string, unknown>): Promise<NamedItem | undefined>
  /** all items of all pages */
  all(path: string, query?: Record<string, unknown>): Promise<readonly NamedItem[]>
}

/** Creates a cache of reads, so that two lookups share one request. */
export function readingBy(tw: Taskwright, options: CallOptions): NameReader {
  const asked = new Map<string, Promise<unknown>>()
  const once = <T>(path: string, query: Record<string, unknown>, ask: () => Promise<T>): Promise<T> => {
    const question = JSON.stringify([path, query])
    const answer = (asked.get(question) as Promise<T> | undefined) ?? ask()
    asked.set(question, answer)
    return answer
  }
  return {
    one: (path, query = {}) =>
      once(path, query, async () => {
        try {
          return (await tw.request('GET', path, { query, ...options })) as NamedItem
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) return undefined
          throw error
        }
      }),
    all: (path, query = {}) =>
      once(path, query, async () => {
        const items: NamedItem[] = []
        for await (const item of tw.pages(path, { limit: 100, ...query }, options)) items.push(item as NamedItem)
        return items
      }),
  }
}
