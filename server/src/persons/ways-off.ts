import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** The ways to sign in that are on. */
interface WaysOn {
  ways: readonly string[]
  /** the OpenID Connect providers that are set up */
  issuers: readonly string[]
}

/** People who could not sign in by themselves any more. */
export interface LockedOut {
  /** how many people */
  count: number
  /** the addresses, or names, of the first ones */
  people: string[]
  /** how many of them have a passkey, a password, an account at a provider */
  passkeys: number
  passwords: number
  accounts: number
}

const mostShown = 5

/**
 * Finds the members of organizations who have ways to sign in, all of which are off. People without any way come in by links
 * anyway, so they do not count.
 */
export async function findLockedOut(db: Db, { ways, issuers }: WaysOn): Promise<LockedOut | undefined> {
  const on = (way: string) => ways.includes(way)
  const found = await db.row<LockedOut>(sql`
    with ways_of as (
      select persons.id, coalesce(persons.email, persons.name) as shown,
        persons.password_hash is not null and persons.email is not null as has_password,
        exists (select from passkeys where passkeys.person_id = persons.id) as has_passkey,
        exists (select from identities where identities.person_id = persons.id) as has_account,
        exists (select from identities where identities.person_id = persons.id and issuer = any(${issuers})) as has_account_on
      from persons where exists (
        select from members where members.person_id = persons.id and status = 'active' and deleted_at is null)),
    locked_out as (
      select * from ways_of where (has_password or has_passkey or has_account)
        and not (has_password and ${on('password')}) and not (has_passkey and ${on('passkey')})
        and not (has_account_on and ${on('oidc')}))
    select count(*)::int as count,
      coalesce((array_agg(shown order by shown))[1:${sql.literal(mostShown)}], '{}') as people,
      (count(*) filter (where has_passkey))::int as passkeys,
      (count(*) filter (where has_password))::int as passwords,
      (count(*) filter (where has_account))::int as accounts
    from locked_out`)
  return found && found.count > 0 ? found : undefined
}
