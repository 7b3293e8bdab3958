import { type Signal, useSignal } from '@preact/signals'
import type { Event } from '@taskwright/client'
import { useMemo } from 'preact/hooks'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { tw } from '../../session/session.ts'
import type { ListQuery } from './list-query.ts'
import { merged } from './merging.ts'
import { comparing } from './order.ts'
import { fields, include, type ListState } from './row.ts'

interface LoadedList extends Loaded<ListState> {
  /** reads the next page, unless it is already loading or there is none */
  more(): void
  /** the error of the next page */
  moreError: Signal<unknown>
}

const pageSize = 100
// read at most so many rows again of those that the user scrolled through
const mostAnew = 500
const togetherMs = 120

/** Pages of tasks, kept current. When tasks change, asks the server whether they still match. */
export function useFound(wanted: ListQuery): LoadedList {
  const key = JSON.stringify(wanted)
  const moreError = useSignal<unknown>(undefined)
  const state = useMemo(() => ({ changed: new Set<string>(), isChecking: false, going: '', key, wanted }), [])
  if (state.key !== key) Object.assign(state, { changed: new Set(), going: '', key, wanted })

  const read = async (signal: AbortSignal) => {
    const count = Math.min(mostAnew, Math.max(1, loaded.value.peek()?.rows.length ?? 1))
    let found = await page(wanted, undefined, signal)
    while (found.next !== null && found.rows.length < count) {
      const following = await page(wanted, found.next, signal)
      found = { rows: [...found.rows, ...following.rows], next: following.next }
    }
    moreError.value = undefined
    return found
  }
  const loaded: Loaded<ListState> = useLoaded(key, read, react)

  function react({ type, resource }: Event, now: ListState) {
    if (type === 'order.respaced') return wanted.sort?.endsWith('position') ? 'again' : undefined
    // these change names in rows, or which tasks are visible
    if (ofOthers.test(type)) return 'again'
    if (resource.type !== 'task') return undefined
    const isDeleted = type === 'task.deleted'
    // a running read may still contain it
    if (!isDeleted || isReading()) {
      if (state.changed.size === 0) setTimeout(check, togetherMs)
      state.changed.add(resource.id)
    }
    return isDeleted ? { ...now, rows: now.rows.filter(({ id }) => id !== resource.id) } : undefined
  }

  const isReading = () => state.isChecking || state.going !== ''

  /** Reads changed tasks under the same filters: a missing task does not match any more. */
  async function check() {
    const { changed, key, wanted } = state
    // wait for a running page: it may be older than the change
    if (isReading() || changed.size === 0) return
    const ids = [...changed]
    changed.clear()
    const order = comparing(wanted.sort)
    if (ids.length > pageSize || wanted.id || !order) return loaded.reload()
    state.isChecking = true
    try {
      const { rows } = await page({ ...wanted, id: ids })
      if (key === state.key) loaded.change((now) => merged(now, ids, rows, order))
    } catch {
      if (key === state.key) loaded.reload()
    }
    state.isChecking = false
    if (state.changed.size > 0) setTimeout(check, togetherMs)
  }

  async function more() {
    const cursor = loaded.value.peek()?.next
    if (!cursor || state.going === cursor) return
    const { key } = state
    state.going = cursor
    moreError.value = undefined
    try {
      const { rows, next } = await page(wanted, cursor)
      if (key !== state.key) return
      loaded.change((now) => {
        if (now.next !== cursor) return now
        const known = new Set(now.rows.map(({ id }) => id))
        return { rows: [...now.rows, ...rows.filter(({ id }) => !known.has(id))], next }
      })
    } catch (error) {
      if (key === state.key) moreError.value = error
    }
    if (state.going !== cursor) return
    state.going = ''
    if (state.changed.size > 0) setTimeout(check, togetherMs)
  }

  return { ...loaded, more, moreError }
}

const ofOthers = /^(?:(?:project|workspace|stage|tag|task_type|member)\.(?!created)|project_member\.)/

async function page(wanted: ListQuery, cursor?: string, signal?: AbortSignal): Promise<ListState> {
  const asked = { ...wanted, limit: pageSize, include, fields, ...(cursor && { cursor }) }
  const { data, pagination } = await tw().tasks.list(asked, signal && { signal })
  return { rows: data, next: pagination.nextCursor }
}
