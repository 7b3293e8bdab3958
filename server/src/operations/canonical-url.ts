import { prefix } from './answer.ts'
import type { Route } from './route.ts'

/**
 * The ids of a path in the one spelling that is looked up: UUIDs in small letters, keys such as WEB-12 in capitals. So keys ignore case
 * in paths as they do in searches.
 */
export const canonicalIds = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, id]) => [
      name,
      isUuid(id) ? id.toLowerCase() : id.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    ]),
  )

/** The URL of a request in one spelling, by its canonical ids. */
export function canonicalUrl({ path }: Route, ids: Record<string, string>, url: string): string {
  const [, query = ''] = url.split(/\?(.*)/s)
  const canonical = prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
  return query === '' ? canonical : `${canonical}?${query}`
}

/** Whether a request names by id what it is about. The caller's organization stands in no path: the API key names it. */
export const isNamedById = ({ ids }: Route, params: Record<string, string>): boolean =>
  ids.every((name) => isUuid(params[name] ?? ''))

export const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
