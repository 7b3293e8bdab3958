import { operator } from '../access/caller.ts'
import type { Route } from '../operations/route.ts'
import type { Json } from './schemas.ts'

/**
 * The links from a creating route to the next operations: get, update and delete the new resource, and the paths one segment
 * below it. The ids come from the response.
 */
export function linksFrom(route: Route, routes: readonly Route[]): Record<string, Json> {
  const home = createdPathOf(route)
  // the operator token cannot read the organization that it creates
  if (home === undefined || route.roles === operator) return {}
  const fields = [...home.matchAll(idInPath)].map(([, field]) => field)
  const next = routes.filter(({ path }) => isAtOrBelow(path, home))
  return Object.fromEntries(
    next.map((to) => {
      const ids = to.ids.map((name, i) => [name, `$response.body#/${fields[i]}`])
      return [to.name, { operationId: to.name, parameters: Object.fromEntries(ids) }]
    }),
  )
}

/** The path of the created resource, with the fields of its ids in braces: `/projects/{projectId}/members/{id}`. */
export function createdPathOf({ created }: Route): string | undefined {
  return created?.(new Proxy({}, { get: (_, field) => `{${String(field)}}` }))
}

/** A path without the names of its ids. */
export const shapeOf = (path: string) => path.replace(/\{\w*\}/g, '{}')

const idInPath = /\{(\w+)\}/g

/** Whether `path` is the path of the resource, or has one more word. */
function isAtOrBelow(path: string, home: string): boolean {
  const [shape, of] = [shapeOf(path), shapeOf(home)]
  return shape === of || (shape.startsWith(`${of}/`) && /^[\w-]+$/.test(shape.slice(of.length + 1)))
}
