/** The placeholders for the personal data of an erased member. */
export const formerMember = {
  name: 'Former member',
  /** an address in a domain that never exists. @see RFC 2606 */
  email: (id: string) => `${id}@former-member.invalid`,
  /** the name of their API keys */
  keyName: 'Key of a former member',
}

/**
 * Replaces the names of erased members in JSON: in members, project members and API keys.
 * @param isErased whether an id belongs to an erased member
 */
export function withoutNames(value: unknown, isErased: (id: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, isErased))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([field, inner]) => [field, withoutNames(inner, isErased)])
  return { ...Object.fromEntries(fields), ...placeholders(value as MemberFields, isErased) }
}

/** The replacements for the fields of an object that name an erased member, if there are any. */
function placeholders(shown: MemberFields, isErased: (id: unknown) => boolean): object {
  if ('email' in shown && isErased(shown.id)) return namelessMember(shown)
  if (!('name' in shown) || !isErased(shown.memberId)) return {}
  return { name: 'scopes' in shown ? formerMember.keyName : formerMember.name }
}

/** The e-mail address stays null if it was null, as for a removed member. */
const namelessMember = ({ id, email, timezone }: MemberFields) => ({
  name: formerMember.name,
  email: email === null ? null : formerMember.email(String(id)),
  ...(timezone === undefined ? {} : { timezone: null }),
})

interface MemberFields {
  id?: unknown
  memberId?: unknown
  name?: unknown
  email?: unknown
  timezone?: unknown
}

/** The ids of the members whose names can occur in JSON. */
export function namedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namedIn)
  if (typeof value !== 'object' || value === null) return []
  const { id, memberId } = value as MemberFields
  const own = ['email' in value && id, 'name' in value && memberId].filter((one) => typeof one === 'string')
  return [...own, ...Object.values(value).flatMap(namedIn)]
}
