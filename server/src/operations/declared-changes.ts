import type { EventType } from '../events/event-type.ts'
import type { Change } from '../events/outbox.ts'
import type { Route } from './route.ts'

/**
 * Holds what a route changed to the catalogue of events; for tests.
 * @throws Error where the route does not declare the type, or the snapshot is not what is published for it
 */
export function refuseUndeclared(route: Route, changes: readonly Change[], eventTypes: readonly EventType[]): void {
  for (const { type, snapshot } of changes) {
    const declared = eventTypes.find((known) => known.type === type)
    if (declared === undefined || !route.emits.includes(type))
      throw new Error(`${route.method} ${route.path} does not declare ${type}`)
    // a dry run keeps no texts
    if (snapshot !== '') declared.snapshot.parse(JSON.parse(snapshot))
  }
}
