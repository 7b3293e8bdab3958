import { useSignal } from '@preact/signals'
import { ApiError, type CallOptions } from '@taskwright/client'
import type { Outcome } from '../act/act.ts'
import { unlessOthersChanged } from '../act/unless-changed.ts'
import { words } from '../words.ts'
import { type Form, useForm } from './form.tsx'

interface EditWays<T, K extends keyof T> {
  /** names it, such as `project.<id>` */
  what: string
  /** as it was read */
  now: T
  fields: readonly K[]
  read: () => PromiseLike<T>
  update: (changes: Partial<Pick<T, K>>, options: Pick<CallOptions, 'ifMatch'>) => PromiseLike<T>
  said?: string
}

/** Editing something that exists, while others may edit it too. */
export interface Edit<T extends object, K extends keyof T> {
  form: Form<Pick<T, K>>
  /** what somebody else made of it meanwhile, field by field */
  theirs: readonly (readonly [K, unknown])[]
  /** sends what was changed, if nobody else changed it since it was read */
  save(): Promise<Outcome<T>>
  /** sends it knowing what the others did */
  saveAllTheSame(): Promise<Outcome<T>>
  /** gives up what was typed for what is there */
  takeTheirs(): void
}

// each time somebody else was faster with something else
const mostAttempts = 5

/**
 * Edits some fields of something with a version; what was typed is sent, and nothing else. Where others changed something else, both
 * stay; where they changed the same, nothing is overwritten unseen, and nothing typed is lost.
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
  /** The fields of what was typed that others made something else of. */
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
  /** how a value is said; by default as it stands */
  say?: (value: unknown, field: K) => string
  onSaved: () => void
}

/** What others changed while somebody typed, and what may be done about it. */
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
