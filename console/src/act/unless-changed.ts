/** What the ETag of a resource is made of. Members of a project have no id of their own. */
type Versioned = { version: number } & ({ id: string } | { projectId: string; memberId: string })

const stateOf = (of: Versioned, version = of.version) =>
  `${'id' in of ? of.id : `${of.projectId}.${of.memberId}`}.${version}`

/** Has a write refused if anybody, also the same person, changed the thing since this version: for an undo. */
export const unlessChanged = (of: Versioned) => ({ ifMatch: `"${stateOf(of)}"` })

const ownWrites = new Set<string>()

/** Remembers the version that a write of this page made: the view that shows the thing may hear of it later. */
export function noteOwnWrite(etag: string | null): void {
  const state = /^(?:W\/)?"((?:[\da-f-]{36}\.){1,2}\d+)/.exec(etag ?? '')?.[1]
  if (state !== undefined) ownWrites.add(state)
}

/** Has a write refused if somebody else changed the thing since this version. Later versions that this page made do not count. */
export function unlessOthersChanged(of: Versioned) {
  let { version } = of
  while (ownWrites.has(stateOf(of, version + 1))) version++
  return { ifMatch: `"${stateOf(of, version)}"` }
}
