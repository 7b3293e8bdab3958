import { createCursors, randomFrom } from '../server/src/for-tools.ts'
import { type Filled, query } from './database.ts'

/**
 * The cursor of a page about so deep in the big organization, as the server seals it: of a thousand it is the one as long
 * as the first page, so that only the depth differs.
 */
export async function cursorAt({ url, data }: Filled, depth: number): Promise<string> {
  const { orgId } = data.big
  const [first] = await query(url, pages, [orgId, 0, 50])
  const off = ({ length }: Record<string, unknown>) => Math.abs(Number(length) - Number(first?.length))
  const [, ...deep] = await query(url, pages, [orgId, depth, 1_000])
  const [nearest] = deep.toSorted((one, other) => off(one) - off(other))
  const seal = await sealer(url)
  return seal(orgId, String(nearest?.before))
}

/** Where a page of tasks begins. */
export interface Place {
  /** of the task before it */
  idBefore: string
  cursor: string
}

/** So many random places in the big organization, none of them at its end. */
export async function randomPlacesIn({ url, data }: Filled, count: number): Promise<Place[]> {
  const { orgId, taskIds } = data.big
  // the oldest are the first
  const ids = taskIds.slice(Math.ceil(taskIds.length / 20))
  const seal = await sealer(url)
  return randomFrom(count)
    .shuffled(ids)
    .slice(0, count)
    .map((idBefore) => ({ idBefore, cursor: seal(orgId, idBefore) }))
}

/** Makes cursors of tasks as the server makes them. */
async function sealer(url: string): Promise<(orgId: string, idBefore: string) => string> {
  const [instance] = await query(url, 'select secret from instance')
  const cursors = createCursors(instance?.secret as Buffer)
  return (orgId, id) => cursors.seal(orgId, 'tasks', { id })
}

/** Of the page that each of some tasks begins: the id before it, and how long it is. */
const pages = `
  select lag(id) over newest as before, sum(length(shown)) over (newest rows between current row and 49 following) as length
  from (
    select id, shown from tasks where org_id = $1 and deleted_at is null order by id desc offset $2 limit $3) tasks
  window newest as (order by id desc)`
