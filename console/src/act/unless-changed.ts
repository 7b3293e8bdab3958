/** What the ETag of a resource is made of. Members of a project have no id of their own. */
type Versioned = { version: number } & ({ id: string } | { projectId: string; memberId: string })

/** Has a write refused where somebody changed the thing since: it goes for this version alone. */
export const unlessChanged = (of: Versioned) => ({
  ifMatch: `"${'id' in of ? of.id : `${of.projectId}.${of.memberId}`}.${of.version}"`,
})
