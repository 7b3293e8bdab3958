import { arrival } from '../session/arrival.ts'
import { enterAnew } from '../session/person.ts'
import { resume } from '../session/start.ts'

/** Leaves the page of a link as the person who signed in by it. @param organizationId opens this one */
export async function enterFromLink(organizationId?: string): Promise<void> {
  arrival.value = undefined
  await enterAnew(organizationId)
}

/** Leaves the page of a link without using it. */
export async function leaveLink(): Promise<void> {
  arrival.value = undefined
  await resume()
}
