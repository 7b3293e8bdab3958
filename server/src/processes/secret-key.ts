import { type Config, ConfigProblem } from '../config.ts'
import type { Db } from '../db/db.ts'
import { makeSecretKey, readSecretKey } from '../db/embedded/secret-key.ts'
import { createSecrets, fingerprintIn } from '../operations/secrets.ts'
import type { Store } from './store.ts'

/**
 * Finds the key that seals secrets: SECRET_KEY, or the key file beside an embedded database, which it creates if there is none.
 * @returns undefined if there is no key and no secret yet
 * @throws ConfigProblem if another key sealed the secrets in the database
 */
export async function settleSecretKey(
  { secretKey }: Config,
  { secretKeyFile: file }: Store,
  db: Db,
): Promise<string | undefined> {
  const fingerprint = await fingerprintIn(db)
  const kept = file && (await readSecretKey(file))
  const key = secretKey ?? kept
  if (fingerprint === null) return key ?? (file && makeSecretKey(file))
  const fits = (one: string | undefined) => one !== undefined && createSecrets(one).fingerprint.equals(fingerprint)
  if (fits(key)) return key
  throw new ConfigProblem(
    secretKey === undefined
      ? lacking(file, kept)
      : `SECRET_KEY is not ${wanted}${fits(kept) ? `, which ${file} holds` : ''}.`,
  )
}

const wanted = 'the key that encrypts the secrets of webhooks in this database'

const lacking = (file: string | undefined, kept: string | undefined) => {
  if (file === undefined) return `SECRET_KEY must be set: to ${wanted}.`
  const problem = kept === undefined ? `${file} is missing` : `${file} does not hold ${wanted}`
  return `${problem}: put it back from a copy, or set SECRET_KEY to that key.`
}
