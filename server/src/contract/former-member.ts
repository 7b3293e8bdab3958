/** What is shown of a member who was erased. */
export const formerMember = {
  name: 'Former member',
  /** nobody's, and of a domain that never exists. @see RFC 2606 */
  email: (id: string) => `${id}@former-member.invalid`,
  /** what its keys are called */
  keyName: 'Key of a former member',
}

/**
 * JSON in which members stand without their names: as they are shown, as members of projects and as holders of keys.
 * @param isErased whether this is the id of one of them
 */
export function withoutNames(value: unknown, isErased: (id: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, isErased))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([field, inner]) => [field, withoutNames(inner, isErased)])
  return { ...Object.fromEntries(fields), ...placeholders(value as MemberFields, isErased) }
}

/** What stands in place of the fields of an object that name somebody, if any do. */
function placeholders(shown: MemberFields, isErased: (id: unknown) => boolean): object {
  if ('email' in shown && isErased(shown.id)) return namelessMember(shown)
  if (!('name' in shown) || !isErased(shown.memberId)) return {}
  return { name: 'scopes' in shown ? formerMember.keyName : formerMember.name }
}

/** Those who were removed are named without an e-mail address. */
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

/** The ids of members whose names such JSON may hold. */
export function namedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namedIn)
  if (typeof value !== 'object' || value === null) return []
  const { id, memberId } = value as MemberFields
  const own = ['email' in value && id, 'name' in value && memberId].filter((one) => typeof one === 'string')
  return [...own, ...Object.values(value).flatMap(namedIn)]
}
