import { makeSignInLink, openedUrl } from '../persons/links.ts'
import { type CommandContext, UsageProblem } from './command.ts'
import { activeMember } from './stored-member.ts'
import { withDatabase } from './with-database.ts'

/** Makes a sign-in link for a member: the way back in when all others are lost. */
export const runSignInLink = ({
  config,
  values: { org, member },
  output,
}: CommandContext<{ org: string; member: string }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    if (member === undefined) throw new UsageProblem('Name the member: taskwright sign-in-link --member <e-mail>.')
    const { orgId, id: memberId, email, orgName } = await activeMember(db, org, member)
    const publicUrl = openedUrl(config.publicUrl, config.port)
    const now = new Date().toISOString()
    const link = await db.transaction((tx) => makeSignInLink(tx, { orgId, memberId }, publicUrl, now))
    output.say(`A sign-in link for ${email} in ${orgName}. It works once, within 15 minutes:`)
    output.print(link)
  })
