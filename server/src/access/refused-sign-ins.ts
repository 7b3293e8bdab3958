import type { Database } from '../db/database.ts'
import { newId, nilId as nil } from '../db/ids.ts'
import { sql } from '../db/sql.ts'

const writeEveryMs = 10_000
// of what is told apart until the next write: by organization, and organizations
const mostOfOne = 20
const mostOrganizations = 200

/** How many rows of refused keys an hour of an organization has: of keys that it had, and of others, each. */
export const mostOfHour = 50

/** Of an organization, by key and address, how often it was refused. */
type Counts = Map<string, { keyId: string; address: string; count: number }>

/**
 * Counts keys that opened nothing, and writes the counts of ten seconds together. Anybody can write an organization's id into a
 * key, so a stranger can cause no more than some rows of an hour, in some organizations at a time; what goes beyond is
 * counted without its address, or dropped. Keys that an organization did have are counted apart: those of strangers take
 * no place from them.
 */
export class RefusedSignIns {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  #had = new Map<string, Counts>()
  #unknown = new Map<string, Counts>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
  }

  /** @param keyId the key, if the organization has it */
  note(orgId: string, keyId: string | undefined, from: string): void {
    const noted = keyId === undefined ? this.#unknown : this.#had
    const counts: Counts = noted.get(orgId) ?? new Map()
    if (counts.size === 0 && noted.size >= mostOrganizations) return
    noted.set(orgId, counts)
    const address = from.slice(0, 64)
    const name = `${keyId} ${address}`
    const known = counts.get(name)
    if (known !== undefined) known.count++
    else if (counts.size < mostOfOne) counts.set(name, { keyId: keyId ?? nil, address, count: 1 })
    else {
      const others = counts.get('others') ?? { keyId: nil, address: '', count: 0 }
      others.count++
      counts.set('others', others)
    }
    if (this.#writing === undefined) this.#timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
  }

  /** Writes what was counted; never fails. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    const all = [this.#had, this.#unknown]
    this.#had = new Map()
    this.#unknown = new Map()
    for (const noted of all)
      for (const [orgId, counts] of noted) await this.#writeOf(orgId, counts).catch(this.#onError)
  }

  async #writeOf(orgId: string, counts: Counts): Promise<void> {
    const given = [...counts.values()].map((one) => ({ ...one, id: newId() }))
    const now = new Date()
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000).toISOString()
    await this.#db.forTenant(orgId).transaction(async (tx) => {
      // no answer depends on it, so it need not wait for the disk
      tx.send('set local synchronous_commit = off')
      tx.send(sql`
        with given as (
          select * from json_to_recordset(${JSON.stringify(given)}::json)
            as given (id uuid, "keyId" uuid, address text, count bigint)),
        there as materialized (
          select key_id, address from refused_sign_ins where org_id = ${orgId} and hour = ${hour}),
        placed as (
          select given.*, there.key_id is not null or row_number() over (
            partition by given."keyId" = ${nil}, there.key_id is null order by given.count desc) + (
              select count(*) from there known where (known.key_id = ${nil}) = (given."keyId" = ${nil})) <= ${mostOfHour}
            as told_apart
          from given left join there on there.key_id = given."keyId" and there.address = given.address)
        insert into refused_sign_ins (org_id, id, hour, key_id, address, count, last_at)
        select organizations.org_id, (array_agg(placed.id))[1], ${hour}, told."keyId", told.address, sum(placed.count),
          ${now.toISOString()}
        from placed
        cross join lateral (
          select case when placed.told_apart then placed."keyId" else ${nil}::uuid end as "keyId",
            case when placed.told_apart then placed.address else '' end as address) told
        join organizations on organizations.org_id = ${orgId} and organizations.deleted_since is null
        group by organizations.org_id, told."keyId", told.address
        on conflict (org_id, hour, key_id, address) do update
          set count = refused_sign_ins.count + excluded.count, last_at = greatest(refused_sign_ins.last_at, excluded.last_at)`)
    })
  }
}
