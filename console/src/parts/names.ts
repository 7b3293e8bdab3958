import { signal } from '@preact/signals'
import { type Member, NotFoundError } from '@taskwright/client'
import { useEffect } from 'preact/hooks'
import { onEvent } from '../live/live.ts'
import { me, tw } from '../session/session.ts'

/** Names of members by id; null if the member does not exist any more. */
const known = signal<ReadonlyMap<string, string | null>>(new Map())
/** The ids of owners. */
const owners = signal<ReadonlySet<string>>(new Set())
let asked = new Set<string>()
let askedFor = ''

const mostAtOnce = 100
const fields = ['id', 'name', 'role'] as const

/**
 * The names of members.
 * @returns undefined while the name loads, null if the member was removed
 */
export function useNames(ids: readonly (string | null)[]): (id: string) => string | null | undefined {
  const wanted = [...new Set(ids)].filter((id) => id !== null).toSorted()
  useEffect(() => void learn(wanted), [wanted.join()])
  useEffect(
    () =>
      onEvent(({ type, resource, snapshot: { name } }) => {
        if (!/^member\.(created|updated|restored|erased)$/.test(type)) return
        if (typeof name === 'string') known.value = new Map(known.value).set(resource.id, name)
      }),
    [],
  )
  return (id) => known.value.get(id)
}

/** Whether a member is known to be an owner. */
export const isOwner = (id: string): boolean => owners.value.has(id)

/** One page of members is enough for most organizations; other members are read one by one. */
async function learn(wanted: readonly string[]) {
  const mine = me().member.id
  if (askedFor !== mine) {
    asked = new Set()
    known.value = new Map()
    askedFor = mine
  }
  const missing = () => wanted.filter((id) => !known.value.has(id) && !asked.has(id))
  if (missing().length === 0) return
  try {
    if (asked.size === 0) {
      const { data } = await tw().members.list({ limit: mostAtOnce, fields })
      add(data)
    }
    await Promise.all(missing().map(learnOne))
  } catch {
    // the view works without names, and the frame shows that the server is unreachable
  }
}

async function learnOne(id: string) {
  asked.add(id)
  try {
    add([await tw().members.get(id, { fields })])
  } catch (error) {
    if (error instanceof NotFoundError) add([{ id, name: null, role: 'member' }])
    else asked.delete(id)
  }
}

function add(found: readonly { id: string; name: string | null; role: Member['role'] }[]) {
  const now = found.flatMap(({ id, role }) => (role === 'owner' ? id : []))
  owners.value = new Set([...owners.value, ...now])
  known.value = new Map([...known.value, ...found.map(({ id, name }) => [id, name] as const)])
}
