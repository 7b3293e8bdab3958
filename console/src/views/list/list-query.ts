import type { TasksListQuery } from '@taskwright/client'
import { hrefWith, place } from '../../router/router.ts'

const listed = ['projectId', 'workspaceId', 'stageId', 'stageCategory', 'typeId', 'assigneeId', 'createdBy'] as const
const labelled = ['tagId', 'anyTagId', 'priority', 'dueDate'] as const
const single = ['id', 'completed', 'dueBefore', 'dueAfter', 'createdBefore', 'createdAfter', 'updatedAfter'] as const
const filters = [...listed, ...labelled, ...single] as const

/** A filter with several values, separated by commas in the address. */
export type ListFilter = (typeof listed)[number] | (typeof labelled)[number]

/** The query of GET /tasks that the address can express. */
export type ListQuery = Omit<TasksListQuery, 'limit' | 'cursor' | 'include' | 'fields'>

/** The query in the address; the server refuses unknown values. */
export function wantedNow(): ListQuery {
  const { query } = place.value
  const said = ['q', 'sort', ...filters].flatMap((name) => {
    const value = query.get(name)?.trim()
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(said)
}

/** The values of a filter. */
export function valuesOf(filter: ListFilter): readonly string[] {
  return (place.value.query.get(filter) ?? '').split(',').filter((value) => value !== '')
}

/** The number of filters in the address, without the search. */
export const filterCount = (): number => filters.filter((name) => place.value.query.get(name)).length

/** The address without filters and search. */
export const hrefOfAll = (): string =>
  hrefWith(Object.fromEntries([...filters, 'q', 'sort'].map((name) => [name, undefined])))
