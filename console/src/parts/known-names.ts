import { signal } from '@preact/signals'
import { NotFoundError } from '@taskwright/client'
import { useEffect } from 'preact/hooks'
import { tw } from '../session/session.ts'
import { words } from '../words.ts'
import type { Option } from './picker.tsx'

/** Reads the name of an id, when the address has only the id. */
export type ReadName = (id: string) => PromiseLike<{ name: string }>

const fields = ['name'] as const

export const readName = {
  project: (id) => tw().projects.get(id, { fields }),
  workspace: (id) => tw().workspaces.get(id, { fields }),
  stage: (id) => tw().stages.get(id),
  member: (id) => tw().members.get(id, { fields }),
  tag: (id) => tw().tags.get(id, { fields }),
  taskType: (id) => tw().taskTypes.get(id, { fields }),
} satisfies Record<string, ReadName>

const known = signal<ReadonlyMap<string, string>>(new Map())

/** Remembers the names of chosen options. */
export function remember(options: readonly Option[]): void {
  known.value = new Map([...known.value, ...options.map(({ id, label }) => [id, label] as const)])
}

/** The values of a filter with their names, when the names are known. */
export function useOptions(values: readonly string[], fixed: readonly Option[], read: ReadName | undefined): Option[] {
  const isFixed = (value: string) => fixed.some(({ id }) => id === value)
  const missing = values.filter((value) => !isFixed(value) && !known.value.has(value))
  useEffect(() => {
    for (const id of missing)
      read?.(id).then(
        ({ name }) => remember([{ id, label: name }]),
        (error) => {
          if (error instanceof NotFoundError) remember([{ id, label: words.list.gone }])
        },
      )
  }, [missing.join()])
  return values.map((id) => ({
    id,
    label: fixed.find((option) => option.id === id)?.label ?? known.value.get(id) ?? words.frame.loading,
  }))
}
