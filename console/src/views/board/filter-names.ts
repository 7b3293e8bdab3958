import { signal } from '@preact/signals'
import { tw } from '../../session/session.ts'
import type { Filter } from './filter.ts'
import type { NamedOption } from './state.ts'

/** Names of filter values that no card on the board has. */
export const filterNames = signal<ReadonlyMap<string, string>>(new Map())

const asked = new Set<string>()

/** Reads the names of filter values, once each. */
export async function learnNames(filter: Filter, known: ReadonlyMap<string, NamedOption>): Promise<void> {
  const readers = {
    assigneeId: (id: string) => tw().members.get(id),
    tagId: (id: string) => tw().tags.get(id),
    anyTagId: (id: string) => tw().tags.get(id),
    typeId: (id: string) => tw().taskTypes.get(id),
    projectId: (id: string) => tw().projects.get(id),
  }
  const wanted = (Object.keys(readers) as (keyof typeof readers)[]).flatMap((word) =>
    (filter[word] ?? []).map((id) => ({ id, read: readers[word] })),
  )
  for (const { id, read } of wanted) {
    if (id === 'me' || id === 'none' || known.has(id) || filterNames.peek().has(id) || asked.has(id)) continue
    asked.add(id)
    try {
      const { name } = await read(id)
      filterNames.value = new Map(filterNames.peek()).set(id, name)
    } catch {
      // it is deleted or hidden, but still filters
    }
  }
}
