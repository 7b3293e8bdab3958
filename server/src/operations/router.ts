import { prefix } from './answer.ts'
import type { Method } from './context.ts'
import type { Route } from './route.ts'
import { canonicalIds } from './run-operation.ts'

/** Finds the operation of a path without fastify: for nested writes, and for the methods of an unknown path. */
export interface Router {
  /** @param path below /api/v1, with its query */
  find(method: Method, path: string): { route: Route; params: Params; query: Query } | undefined
  /** the methods that a whole path allows */
  methodsAt(path: string): string[]
}

type Params = Record<string, string>
type Query = Record<string, string | string[]>

/** @param others further whole paths, each with a method; `*` at the end is any path below */
export function createRouter(
  routes: readonly Route[],
  others: readonly (readonly [path: string, method: Method])[],
): Router {
  const all = routes.map((route) => ({ route, pattern: (prefix + route.path).split('/') }))
  const further = others.map(([path, method]) => ({ path, method, pattern: path.split('/') }))
  return {
    find(method, whole) {
      const [path = ''] = whole.split(/[?#]/, 1)
      const segments = segmentsOf(prefix + path)
      for (const { route, pattern } of all) {
        const params = route.method === method ? paramsIn(segments, pattern) : undefined
        if (params) return { route, params: canonicalIds(params), query: readQuery(whole.slice(path.length + 1)) }
      }
      return undefined
    },
    methodsAt(path) {
      const segments = segmentsOf(path)
      const named = all.filter(({ pattern }) => paramsIn(segments, pattern)).map(({ route }) => route.method)
      const other = further
        .filter(({ path: one, pattern }) =>
          one.endsWith('/*') ? path.startsWith(one.slice(0, -1)) : paramsIn(segments, pattern),
        )
        .map(({ method }) => method)
      return [...new Set([...other, ...named])].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    },
  }
}

/** The decoded segments of a path; none if it cannot be decoded. An encoded slash does not separate segments. */
function segmentsOf(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}

/** The values of a pattern's parameters in a path; undefined if the path does not match. */
function paramsIn(segments: readonly string[], pattern: readonly string[]): Params | undefined {
  if (segments.length !== pattern.length) return undefined
  const params: Params = {}
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i]
    if (part.startsWith('{') && segment) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

/** The query as an object in which every parameter is an own field, even `__proto__`. */
function readQuery(search: string): Query {
  const parameters = new URLSearchParams(`?${search}`)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
