import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { fingerprintIn, type Secrets } from '../../operations/secrets.ts'

/** The secrets of one webhook, as they are stored. */
interface StoredSecrets {
  id: string
  secret: Buffer
  formerSecret: Buffer | null
}

/**
 * Seals the secrets of all webhooks with another key, deleted webhooks included. No request stores a secret in the
 * meantime: it waits for the row of the instance, and then finds that its key is no longer the current one.
 * @param db a transaction
 * @returns the number of webhooks; undefined when `from` is not the key that sealed them
 */
export async function resealAll(db: Db, from: Secrets, to: Secrets): Promise<number | undefined> {
  await db.rows(sql`select id from instance for update`)
  const fingerprint = await fingerprintIn(db)
  if (fingerprint === null) return 0
  if (!from.fingerprint.equals(fingerprint)) return undefined
  await db.rows(sql`update instance set secret_key_fingerprint = ${to.fingerprint}`)
  const organizations = await db.rows<{ orgId: string }>(sql`select distinct org_id as "orgId" from webhooks`)
  let count = 0
  for (const { orgId } of organizations) {
    const webhooks = await db.rows<StoredSecrets>(sql`
      select id, secret, former_secret as "formerSecret" from webhooks where org_id = ${orgId} order by id for update`)
    const again = ({ id }: StoredSecrets, sealed: Buffer) => to.seal({ orgId, id }, from.open({ orgId, id }, sealed))
    const ids = webhooks.map(({ id }) => id)
    const secrets = webhooks.map((one) => again(one, one.secret))
    const former = webhooks.map((one) => one.formerSecret && again(one, one.formerSecret))
    await db.rows(sql`
      update webhooks set secret = resealed.secret, former_secret = resealed.former_secret
      from unnest(${ids}::uuid[], ${secrets}::bytea[], ${former}::bytea[]) resealed (id, secret, former_secret)
      where webhooks.org_id = ${orgId} and webhooks.id = resealed.id`)
    count += webhooks.length
  }
  return count
}
