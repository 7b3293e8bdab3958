import { tokenHash } from '../access/sessions.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

const keptMs = 86_400_000

/** The last sign-in with a provider, for `taskwright doctor --oidc`. It names nobody. */
export interface SignInReport {
  at: string
  /** the code of the problem; null: it worked */
  code: string | null
  reason: string
  /** the masked claims; null: the provider sent none */
  claims: Record<string, unknown> | null
}

const hashOf = (issuer: string) => tokenHash(`report ${issuer}`)

/** Stores the last sign-in with a provider for a day, in place of the one before. */
export async function storeReport(db: Db, issuer: string, report: SignInReport): Promise<void> {
  const expiresAt = new Date(Date.parse(report.at) + keptMs).toISOString()
  const row = {
    hash: hashOf(issuer),
    kind: 'oidc_report',
    data: JSON.stringify(report),
    createdAt: report.at,
    expiresAt,
  }
  await db.rows(sql`
    insert into sign_in_tokens ${sql.values(row)}
    on conflict (hash) do update set data = excluded.data, created_at = excluded.created_at, expires_at = excluded.expires_at`)
}

/** Reads the last sign-in with a provider. @returns undefined if there was none within a day */
export async function readReport(db: Db, issuer: string, now: string): Promise<SignInReport | undefined> {
  const row = await db.row<{ data: SignInReport }>(sql`
    select data from sign_in_tokens where hash = ${hashOf(issuer)} and kind = 'oidc_report' and expires_at > ${now}`)
  return row?.data
}
