import { useSignal } from '@preact/signals'
import { ApiError, type CallOptions } from '@taskwright/client'
import type { Outcome } from '../act/act.ts'
import { unlessOthersChanged } from '../act/unless-changed.ts'
import { words } from '../words.ts'
import { type Form, useForm } from './form.tsx'

interface EditWays<T, K extends keyof T> {
  /** names the draft, such as `project.<id>` */
  what: string
  /** the value that was read */
  now: T
  fields: readonly K[]
  read: () => PromiseLike<T>
  update: (changes: Partial<Pick<T, K>>, options: Pick<CallOptions, 'ifMatch'>) => PromiseLike<T>
  said?: string
}

/** An edit of a resource that others may edit at the same time. */
export interface Edit<T extends object, K extends keyof T> {
  form: Form<Pick<T, K>>
  /** the changes of others, field by field */
  theirs: readonly (readonly [K, unknown])[]
  /** sends the changes, if nobody else changed the resource since the read */
  save(): Promise<Outcome<T>>
  /** sends them over the changes of others */
  saveAllTheSame(): Promise<Outcome<T>>
  /** discards the user's values for the current ones */
  takeTheirs(): void
}

// each attempt means that somebody else changed another field first
const mostAttempts = 5

/**
 * Edits some fields of a versioned resource and sends only the changed ones. If others changed other fields, both changes are
 * kept. If they changed the same field, the user decides, and nothing is lost.
 */
export function useEdit<T extends { id: string; version: number }, const K extends keyof T>(
  ways: EditWays<T, K>,
): Edit<T, K> {
  type Seen = Pick<T, K | 'version'>
  const base = useSignal(ways.now)
  const newest = useSignal<T | undefined>(undefined)
  const pick = (from: T) =>
    Object.fromEntries(['version', ...ways.fields].map((field) => [field, from[field as K]])) as Seen
  const form = useForm(`edit.${ways.what}`, pick(base.value))
  const typed = ways.fields.filter((field) => !isSame(form.values[field], form.began[field]))
  /** The changed fields that others changed to another value. */
  const contested = (seen: Seen, since: Seen) =>
    typed.filter((field) => !isSame(seen[field], since[field]) && !isSame(seen[field], form.values[field]))

  async function update(over: Seen): Promise<T> {
    const changes: Partial<Pick<T, K>> = {}
    for (const field of typed) changes[field] = form.values[field]
    for (let against = over, n = 1; ; n++) {
      try {
        return await ways.update(changes, unlessOthersChanged({ id: base.value.id, version: against.version }))
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'etag_mismatch' || n === mostAttempts) throw error
        const seen = await ways.read()
        if (contested(seen, against).length > 0) {
          newest.value = seen
          throw error
        }
        against = seen
      }
    }
  }

  const seen = newest.value
  return {
    form,
    theirs: seen ? contested(seen, form.began).map((field) => [field, seen[field]] as const) : [],
    save: () => form.send(() => update(form.began), ways.said),
    saveAllTheSame: () => form.send(() => update(seen ?? form.began), ways.said),
    takeTheirs() {
      if (seen) base.value = seen
      newest.value = undefined
      form.clear()
    },
  }
}

interface MeanwhileProps<T extends object, K extends keyof T & string> {
  edit: Edit<T, K>
  labels: Readonly<Record<K, string>>
  /** formats a value; by default the value itself */
  say?: (value: unknown, field: K) => string
  onSaved: () => void
}

/** Shows the changes of others during an edit, and offers both choices. */
export function Meanwhile<T extends object, K extends keyof T & string>({
  edit,
  labels,
  say = (value) => (value === null || value === '' ? words.edit.nothing : String(value)),
  onSaved,
}: MeanwhileProps<T, K>) {
  if (edit.theirs.length === 0) return null
  const save = async () => {
    if ((await edit.saveAllTheSame()).done) onSaved()
  }
  return (
    <div class="meanwhile" role="alert">
      <p>{words.edit.meanwhile}</p>
      <dl>
        {edit.theirs.map(([field, value]) => (
          <div key={field}>
            <dt>{labels[field]}</dt>
            <dd dir="auto">{say(value, field)}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => void save()}>
          {words.edit.mine}
        </button>
        <button type="button" onClick={edit.takeTheirs}>
          {words.edit.theirs}
        </button>
      </div>
    </div>
  )
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
