import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { numberedKey, startOfKey } from './rules.ts'

/**
 * A key for a project that came without one, which no other project has, nor a deleted one that may be restored: with the
 * first number that is free. Beyond the first 64 it may be any free one: it is looked for by long steps, then by shorter ones, so
 * that what is read does not grow with the projects that have such keys.
 * @throws 422 when none is found
 */
export async function freeKey(db: Db, orgId: string, projectName: string): Promise<string> {
  const start = startOfKey(projectName)
  const firstFree = async (numbers: readonly number[]) => {
    const taken = await keysAmong(
      db,
      orgId,
      numbers.map((number) => numberedKey(start, number)),
    )
    return numbers.findIndex((number) => !taken.has(numberedKey(start, number)))
  }
  let tried = [...firstNumbers, ...longSteps]
  for (;;) {
    const found = await firstFree(tried)
    const [below = 0, number] = [tried[found - 1], tried[found]]
    if (number === undefined) throw invalid({ key: ['Must be given, as those that begin like the name are taken'] })
    const step = Math.ceil((number - below) / atOnce)
    const between = Array.from({ length: atOnce - 1 }, (_, i) => below + (i + 1) * step).filter((one) => one < number)
    if (between.length === 0) return numberedKey(start, number)
    tried = [...between, number]
  }
}

const atOnce = 64
const firstNumbers = Array.from({ length: atOnce }, (_, i) => i + 1)
// behind four letters a key has room for six digits
const longSteps = [...Array.from({ length: 13 }, (_, i) => 2 ** (i + 7)), 999_999]

/** Those of these keys that projects have, be they deleted or not: each kind has its index. */
async function keysAmong(db: Db, orgId: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ key: string }>(sql`
    select key from projects where org_id = ${orgId} and key = any(${keys}) and deleted_at is null
    union all
    select key from projects where org_id = ${orgId} and key = any(${keys}) and deleted_at is not null`)
  return new Set(rows.map(({ key }) => key))
}
