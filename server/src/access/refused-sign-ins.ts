import { newId, nilId as nil } from '../db/ids.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'

const writeEveryMs = 10_000
// counts to keep apart until the next write: per organization, and organizations
const mostOfOne = 20
const mostOrganizations = 200

/** The most rows of an organization in an hour, for keys that it has, and as many for unknown keys. */
export const mostOfHour = 50

interface RefusalCount {
  keyId: string
  address: string
}

/** The number of times that a key was refused from an address. */
type Count = RefusalCount & { count: number }

/** The counts of an organization, by key and address. */
type Counts = Map<string, Count>

/**
 * Counts refused keys, and writes the counts of ten seconds together. Anybody can write an organization's id into a key. So
 * strangers can cause only a few rows per hour, in a limited number of organizations at a time. Further refusals are counted
 * without their address, or dropped. Keys that an organization has are counted apart, so strangers take no room from them.
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

  /** Writes the counts; never fails. */
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
    const now = new Date()
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000).toISOString()
    await this.#db.transaction(async (tx) => {
      // no response depends on this, so the commit need not wait for the disk
      tx.send('set local synchronous_commit = off')
      const there = await tx.rows<RefusalCount>(sql`
        select key_id as "keyId", address from refused_sign_ins where org_id = ${orgId} and hour = ${hour}`)
      const told = placed([...counts.values()], there).map((one) => ({ ...one, id: newId() }))
      tx.send(sql`
        insert into refused_sign_ins (org_id, id, hour, key_id, address, count, last_at)
        select organizations.org_id, told.id, ${hour}, told."keyId", told.address, told.count, ${now.toISOString()}
        from organizations
        cross join json_to_recordset(${JSON.stringify(told)}::json)
          as told (id uuid, "keyId" uuid, address text, count bigint)
        where organizations.org_id = ${orgId} and organizations.deleted_since is null
        on conflict (org_id, hour, key_id, address) do update
          set count = refused_sign_ins.count + excluded.count, last_at = greatest(refused_sign_ins.last_at, excluded.last_at)`)
    })
  }
}

/** Assigns the counts to the rows of an hour. @param there the existing rows */
function placed(counts: readonly Count[], there: readonly RefusalCount[]): Count[] {
  const known = new Set(there.map(nameOf))
  const left = { had: mostOfHour, unknown: mostOfHour }
  const kindOf = ({ keyId }: RefusalCount) => (keyId === nil ? 'unknown' : 'had')
  for (const one of there) left[kindOf(one)]--
  const rows = new Map<string, Count>()
  for (const one of counts.toSorted((a, b) => b.count - a.count)) {
    const isToldApart = known.has(nameOf(one)) || left[kindOf(one)]-- > 0
    const row = isToldApart ? one : { ...one, keyId: nil, address: '' }
    const { count = 0 } = rows.get(nameOf(row)) ?? {}
    rows.set(nameOf(row), { ...row, count: count + row.count })
  }
  return [...rows.values()]
}

const nameOf = ({ keyId, address }: RefusalCount) => `${keyId} ${address}`
