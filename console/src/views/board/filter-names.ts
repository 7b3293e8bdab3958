import { signal } from '@preact/signals'
import { tw } from '../../session/session.ts'
import type { Filter } from './filter.ts'
import type { Named } from './state.ts'

/** What is chosen by a filter is called, where no card says it. */
export const filterNames = signal<ReadonlyMap<string, string>>(new Map())

const asked = new Set<string>()

/** Asks for the names of what an address filters by, once each. */
export async function learnNames(filter: Filter, known: ReadonlyMap<string, Named>): Promise<void> {
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
      // it is not there, or not to be seen: it filters all the same
    }
  }
}
