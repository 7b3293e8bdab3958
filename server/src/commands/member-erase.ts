import { ApiError } from '../contract/errors.ts'
import { normalizeText } from '../db/normalize-text.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { changeByJob } from '../operations/changes.ts'
import type { Member } from '../resources/member.ts'
import { eraseMember, lockForErasure } from '../resources/members/erasing.ts'
import { ask } from './ask.ts'
import { type CommandContext, Failure, UsageProblem } from './command.ts'
import { withoutControls } from './table.ts'
import { withDatabase } from './with-database.ts'

/** Erases a member, as an owner does with the API. */
export const runMemberErase = ({
  config,
  values: { yes = false },
  operands: [id],
  output,
}: CommandContext<{ yes: boolean }>): Promise<void> =>
  withDatabase(config, output, async (db, _, stopped) => {
    if (id === undefined) throw new UsageProblem('Name a member by its id: taskwright member erase <id>.')
    const { orgId, orgName, name, email } = await memberWith(db, id.toLowerCase())
    const who = `${withoutControls(name)} <${withoutControls(email)}> of ${withoutControls(orgName)}`
    if (!yes && !process.stdin.isTTY) throw new UsageProblem(`This erases ${who} for good. Add --yes to confirm.`)
    const question = `This erases ${who} for good. Type the e-mail address to confirm: `
    if (!yes && normalizeText(await ask(question, stopped)) !== normalizeText(email))
      throw new Failure('That is not the e-mail address. Nothing was changed.')
    await erase(db, orgId, id.toLowerCase())
    output.print(
      `Erased ${id.toLowerCase()}. A server removes the name from events and stored responses within minutes.`,
    )
  })

async function memberWith(db: Database, id: string) {
  const [found] = await db.rows<Pick<Member, 'name' | 'email'> & { orgId: string; orgName: string }>(sql`
    select members.org_id as "orgId", organizations.name as "orgName", members.name, members.email from members
    join organizations on organizations.org_id = members.org_id where members.id::text = ${id}`)
  if (found === undefined) throw new UsageProblem('There is no such member.')
  return found
}

async function erase(db: Database, orgId: string, id: string): Promise<void> {
  try {
    await changeByJob(db, orgId, 'command-line', async (tx, emit, now) =>
      eraseMember({ db: tx, orgId, emit, now }, await lockForErasure(tx, orgId, id)),
    )
  } catch (error) {
    // a rule refused the erasure: print the message of the API
    if (error instanceof ApiError && error.status === 412) throw new Failure(`${error.message}.`)
    throw error
  }
}
