import type { Member } from '../../resources/member.ts'
import type { Organization } from '../../resources/organizations/organization.ts'
import type { Call } from './call.ts'

interface Me {
  member: Member
  organization: Organization
}

/** The time zone in which the caller says and reads times: their own, else that of the organization. */
export async function zoneOf(call: Call): Promise<string> {
  const { member, organization } = await call.get<Me>('/me', {})
  return member.timezone ?? organization.timezone
}
