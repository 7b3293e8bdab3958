/** The parts of a resource's ETag. Members of a project have no id of their own. */
type Versioned = { version: number } & ({ id: string } | { projectId: string; memberId: string })

const stateOf = (of: Versioned, version = of.version) =>
  `${'id' in of ? of.id : `${of.projectId}.${of.memberId}`}.${version}`

/** For an undo: makes the server refuse a write if anybody, including this user, changed the resource since this version. */
export const unlessChanged = (of: Versioned) => ({ ifMatch: `"${stateOf(of)}"` })

const ownWrites = new Set<string>()

/** Remembers the version that a write of this page made, because the view may receive its event later. */
export function noteOwnWrite(etag: string | null): void {
  const state = /^(?:W\/)?"((?:[\da-f-]{36}\.){1,2}\d+)/.exec(etag ?? '')?.[1]
  if (state !== undefined) ownWrites.add(state)
}

/**
 * Makes the server refuse a write if somebody else changed the resource since this version. Later versions from this page do
 * not count.
 */
export function unlessOthersChanged(of: Versioned) {
  let { version } = of
  while (ownWrites.has(stateOf(of, version + 1))) version++
  return { ifMatch: `"${stateOf(of, version)}"` }
}
