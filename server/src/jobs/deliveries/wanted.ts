import { matchesType } from '../../events/type-names.ts'

/** What decides whether a webhook wants an event. */
export interface WebhookFilters {
  id: string
  /** of events; empty: all */
  types: readonly string[]
  projectId: string | null
}

/** What it decides about. */
export interface Candidate {
  type: string
  projectId: string | null
  resourceId: string
}

/** Whether a webhook wants an event. A test goes to the webhook that is tested, and to no other. */
export function wants({ id, types, projectId }: WebhookFilters, event: Candidate): boolean {
  if (event.type === 'webhook.test') return event.resourceId === id
  if (projectId !== null && event.projectId !== projectId) return false
  return types.length === 0 || matchesType(types, event.type)
}
