import { type Signal, useSignal } from '@preact/signals'
import { ApiError } from '@taskwright/client'
import { useMemo } from 'preact/hooks'
import { act, type IdempotencyOption, type Outcome } from '../../act/act.ts'
import { useDraft } from '../../act/drafts.ts'
import { unlessOthersChanged } from '../../act/unless-changed.ts'
import { dayIn } from '../../parts/zone.ts'
import { mayAdminister } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import type { Entries, Week } from './entries.ts'
import { type Cell, type Plan, planOf } from './plan.ts'
import { timesheetWords } from './timesheet-words.ts'
import { type Entry, nameOf, type WorkItem } from './work.ts'

/** Unsaved text of a cell. */
export interface TypedCell {
  text: string
  /** the entries of the cell at the start of typing, by `tagsOf` */
  began?: string | undefined
  /** the reason why it was not saved */
  problem?: string | undefined
  /** the id of the overlapping entry */
  overlaps?: string | undefined
  /** a request without a response: a retry with its key takes effect once */
  sent?: { plan: Plan; once: IdempotencyOption } | undefined
}

interface StoredDraft {
  typed: Readonly<Record<string, TypedCell>>
  /** extra rows, by the first day of their week */
  works: Readonly<Record<string, readonly WorkItem[]>>
}

/** The unsaved text of a timesheet, and how to save it. */
export interface Sheet {
  /** rows added to this week */
  works: readonly WorkItem[]
  typed(cell: Cell): TypedCell | undefined
  isSaving(cell: Cell): boolean
  /** the cell that the user edits, by `cellId` */
  editing: Signal<string | undefined>
  /** the id of the row that gets the focus */
  wanted: Signal<string | undefined>
  add(works: readonly WorkItem[]): void
  take(work: WorkItem): void
  type(cell: Cell, text: string): void
  /** starts saving the text, or returns its problem */
  save(cell: Cell): string | undefined
  /** the write that a text needs */
  plan(cell: Cell, text: string): Plan
  discard(cell: Cell): void
  remove(entry: Entry): Promise<void>
  /** applies the current version of an entry */
  show(entry: Entry): void
}

interface ShownWeek {
  entries: Entries
  week: Week
}

const isSame = (one: Week | undefined, { start, memberId }: Week) => one?.start === start && one.memberId === memberId

export const cellId = ({ work, day }: Cell): string => `${work.id} ${day}`

/** Keeps the unsaved text of a member's week, and saves one cell after the other. */
export function useSheet(week: Week): Sheet & { follow(entries: Entries): void } {
  const draft = useDraft(`timesheet.${week.memberId}`)
  const saving = useSignal<ReadonlySet<string>>(new Set())
  const editing = useSignal<string | undefined>(undefined)
  const wanted = useSignal<string | undefined>(undefined)
  const own = week.memberId === me().member.id
  // saves run one by one, because a new entry is placed after the one before it
  const line = useMemo(() => ({ last: Promise.resolve(), shown: undefined as ShownWeek | undefined }), [])

  const kept = () => read(draft.typed.value)
  const keep = (change: Partial<StoredDraft>) => {
    const next = { ...read(draft.typed.peek()), ...change }
    const isEmpty = Object.keys(next.typed).length === 0 && Object.keys(next.works).length === 0
    if (isEmpty) draft.clear()
    else draft.type(JSON.stringify(next))
  }
  const put = (cell: Cell, typed: TypedCell | undefined) => {
    const { [cellId(cell)]: _, ...others } = read(draft.typed.peek()).typed
    keep({ typed: typed === undefined ? others : { ...others, [cellId(cell)]: typed } })
  }
  const mark = (cell: Cell, isSaving: boolean) => {
    const others = [...saving.peek()].filter((id) => id !== cellId(cell))
    saving.value = new Set(isSaving ? [...others, cellId(cell)] : others)
  }
  const add = (works: readonly WorkItem[]) => {
    const all = read(draft.typed.peek()).works
    const there = all[week.start] ?? []
    const more = works.filter(({ id }) => there.every((work) => work.id !== id))
    if (more.length > 0) keep({ works: { ...all, [week.start]: [...there, ...more] } })
  }
  const shown = () => line.shown?.entries.value.peek() ?? []
  const entriesIn = (cell: Cell) =>
    shown().filter(
      ({ work, startedAt }) => work.id === cell.work.id && dayIn(week.zone, new Date(startedAt)) === cell.day,
    )
  const plan = (cell: Cell, text: string): Plan => {
    const [all, inCell] = [shown(), entriesIn(cell)]
    const memberId = own ? undefined : week.memberId
    return planOf(text, cell, { zone: week.zone, memberId, inCell, all })
  }
  /** The write for an edited text. It refuses to overwrite an entry that somebody else changed since the user began. */
  const planOver = (cell: Cell, { text, began }: TypedCell): Plan => {
    const planned = plan(cell, text)
    const isSeen = began === undefined || began === tagsOf(entriesIn(cell))
    return 'update' in planned && !isSeen ? { problem: timesheetWords.changedMeanwhile } : planned
  }

  const show = (entry: Entry) => line.shown?.entries.take(entry)

  async function run(cell: Cell, typed: TypedCell, first: Plan) {
    const { text, sent } = typed
    // plan again, because the save before it may have taken the place
    const planned = sent?.plan ?? (isSame(line.shown?.week, week) ? planOver(cell, typed) : first)
    if ('problem' in planned) {
      put(cell, { text, problem: planned.problem })
    } else {
      let used: IdempotencyOption | undefined
      const outcome = await act(
        (once) => {
          used = sent?.once ?? once
          return write(planned, used)
        },
        { isQuiet: true },
      )
      if (outcome.done) {
        put(cell, undefined)
        show({ tags: [], ...before(planned), ...outcome.value, work: cell.work })
      } else put(cell, { text, ...failed(outcome, planned, used) })
    }
    mark(cell, false)
  }

  return {
    works: kept().works[week.start] ?? [],
    typed: (cell) => kept().typed[cellId(cell)],
    isSaving: (cell) => saving.value.has(cellId(cell)),
    editing,
    wanted,
    add,
    take(work) {
      const all = kept().works
      keep({ works: { ...all, [week.start]: (all[week.start] ?? []).filter(({ id }) => id !== work.id) } })
    },
    type: (cell, text) => put(cell, { text, began: kept().typed[cellId(cell)]?.began ?? tagsOf(entriesIn(cell)) }),
    save(cell) {
      const typed = kept().typed[cellId(cell)]
      if (typed === undefined || saving.peek().has(cellId(cell))) return
      const planned = typed.sent?.plan ?? planOver(cell, typed)
      if ('problem' in planned) {
        // drop `began`: on the next save, the user has seen the current entries
        put(cell, { text: typed.text, problem: planned.problem })
        return planned.problem
      }
      // keep the row, even if its last entry is deleted
      add([cell.work])
      mark(cell, true)
      put(cell, { text: typed.text, began: typed.began, sent: typed.sent })
      line.last = line.last.then(() => run(cell, typed, planned))
    },
    plan,
    discard: (cell) => put(cell, undefined),
    async remove(entry) {
      add([entry.work])
      const at = new Date().toISOString()
      const outcome = await act(() => tw().timeEntries.delete(entry.id, unlessOthersChanged(entry)), {
        said: timesheetWords.deleted(nameOf(entry.work)),
        undo: () => putBack(entry, at),
      })
      if (outcome.done) line.shown?.entries.drop(entry)
    },
    show,
    follow(entries) {
      line.shown = { entries, week }
    },
  }
}

const tagsOf = (entries: readonly Entry[]) => entries.map(({ id, version }) => `${id}.${version}`).join(' ')

function write(plan: Exclude<Plan, { problem: string }>, once: IdempotencyOption) {
  if ('create' in plan) return tw().timeEntries.create(plan.create, once)
  return tw().timeEntries.update(plan.update.id, plan.changes, unlessOthersChanged(plan.update))
}

const before = (plan: Plan) => ('update' in plan ? plan.update : {})

/** The state that a retry of a failed save needs. */
function failed(
  { error, sentence }: Extract<Outcome<unknown>, { done: false }>,
  plan: Plan,
  once: IdempotencyOption | undefined,
) {
  if (!wasRefused(error)) return { problem: sentence, sent: once && 'create' in plan ? { plan, once } : undefined }
  if (error instanceof ApiError && error.code === 'etag_mismatch') return { problem: timesheetWords.changedMeanwhile }
  return { problem: sentence, overlaps: overlappedBy(error) }
}

/** The id of the overlapping entry, if the server named it. */
export const overlappedBy = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'time_overlaps'
    ? /overlaps the time entry ([\da-f-]{36})/.exec(error.message)?.[1]
    : undefined

/** Whether the server refused the request, so that it would refuse a retry too. */
export const wasRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429

/** Undoes a deletion: restores the entry, or creates it again if the user cannot restore. */
function putBack(
  { id, version, work, startedAt, endedAt, description, billable, tagIds, memberId }: Entry,
  at: string,
) {
  const { member } = me()
  const once = { idempotencyKey: `put-back-${id}-${version}` }
  if (mayAdminister()) return tw().timeEntries.restore(id, once)
  const whose = memberId === member.id ? {} : { memberId }
  const own = { startedAt, endedAt: endedAt ?? at, description, billable, tagIds }
  return tw().timeEntries.create({ ...work.on, ...own, ...whose }, once)
}

function read(text: string | undefined): StoredDraft {
  try {
    return { typed: {}, works: {}, ...JSON.parse(text ?? '{}') }
  } catch {
    return { typed: {}, works: {} }
  }
}
