import { prefix } from './answer.ts'
import type { Method, Route } from './route.ts'

/** Finds the operation of a path without fastify: for nested writes, and for the methods of an unknown path. */
export interface Router {
  /** @param path below /api/v1, with its query */
  find(method: Method, path: string): { route: Route; params: Record<string, string>; query: Query } | undefined
  /** the methods that a whole path allows */
  methodsAt(path: string): string[]
}

type Query = Record<string, string | string[]>

/** @param others further whole paths, each with its method; `*` is whatever stands below a first segment */
export function createRouter(routes: readonly Route[], others: ReadonlyMap<string, Method>): Router {
  const all = routes.map((route) => ({ route, pattern: patternOf(prefix + route.path) }))
  return {
    find(method, whole) {
      const [path = ''] = whole.split('?', 1)
      for (const { route, pattern } of all) {
        const params = route.method === method ? pattern.exec(prefix + path) : null
        if (params) return { route, params: { ...params.groups }, query: readQuery(whole.slice(path.length)) }
      }
      return undefined
    },
    methodsAt(path) {
      const named = all.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method)
      const other = others.get(path) ?? others.get(`${path.slice(0, path.indexOf('/', 1) + 1)}*`)
      const reachable = other ? [other, ...named] : named
      return reachable.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    },
  }
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

/** @param search with its question mark */
function readQuery(search: string): Query {
  const query: Query = {}
  const parameters = new URLSearchParams(search)
  for (const name of parameters.keys()) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return query
}
