import type { EventType } from '../events/event-type.ts'
import type { Change } from '../events/outbox.ts'
import type { Route } from './route.ts'

/**
 * Checks a route's changes against the declared types of events; for tests.
 * @throws Error if the route does not declare the type, or if the snapshot does not match its published schema
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
