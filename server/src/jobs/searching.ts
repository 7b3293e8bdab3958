import { changedWithoutEvent } from '../db/as-of.ts'
import { followLog, isBehind } from '../resources/search/following.ts'
import type { Job, Run } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'

/** Keeps up what finds subtasks, comments, projects and time with the log of events. */
export const searching: Job = { name: 'searching', everyMs: 5_000, run: (run) => keepUp(run) }

/** @param batch events of an organization, and things of each kind, at a time */
export async function keepUp({ db, inEach }: Run, batch = 200): Promise<void> {
  const due = await organizationsWith(db, ...isBehind)
  await inEach(due, (orgId) =>
    inOrganization(db, orgId, async (tx) => {
      const { more, foundOtherwise } = await followLog(tx, orgId, batch)
      if (foundOtherwise) tx.send(changedWithoutEvent(orgId))
      return more
    }),
  )
}
