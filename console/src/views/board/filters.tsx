import { useSignal } from '@preact/signals'
import { foldName } from '@taskwright/client'
import { useEffect } from 'preact/hooks'
import { dayOf } from '../../parts/format.ts'
import { findMembers, findProjects, findTags, findTaskTypes } from '../../parts/options.ts'
import { type Option, Picker } from '../../parts/picker.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { query, setQuery } from '../../router/router.ts'
import { me } from '../../session/session.ts'
import { words } from '../../words.ts'
import { type Filter, filterWords, isFiltered } from './filter.ts'
import { filterNames, learnNames } from './filter-names.ts'
import type { Board } from './state.ts'

const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const

/** Removes all filters. */
export const clearFilters = () => setQuery(Object.fromEntries(filterWords.map((word) => [word, undefined])))

/** The filter bar: words, people, tags and the rest. The address has the chosen values. */
export function Filters({ board, filter }: { board: Board; filter: Filter }) {
  const chosenCount = Object.keys(filter).filter((word) => word !== 'q').length
  const isOpen = useSignal(chosenCount > 0)
  const matching = board.columns.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <SearchField label={words.board.search} />
      <button
        type="button"
        aria-expanded={isOpen.value}
        aria-controls="board-filters"
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {words.board.filters(chosenCount)}
      </button>
      {isFiltered(filter) && (
        <>
          <button type="button" class="plain" onClick={clearFilters}>
            {words.board.clearFilters}
          </button>
          <span class="quiet small" role="status">
            {words.board.matching(matching)}
          </span>
        </>
      )}
      <div id="board-filters" class="board-filters" hidden={!isOpen.value}>
        {isOpen.value && <Choices board={board} filter={filter} />}
      </div>
    </>
  )
}

function Choices({ board, filter }: { board: Board; filter: Filter }) {
  const ids = [filter.assigneeId, filter.tagId, filter.anyTagId, filter.typeId, filter.projectId].flatMap(
    (of) => of ?? [],
  )
  useEffect(() => void learnNames(filter, board.named), [ids.join()])
  const optionsOf = (chosen: readonly string[] | undefined): readonly Option[] =>
    (chosen ?? []).map((id) => ({ id, label: nameOf(id, board) }))
  const put = (word: string) => (chosen: readonly Option[]) => {
    filterNames.value = new Map([...filterNames.value, ...chosen.map(({ id, label }) => [id, label] as const)])
    setQuery({ [word]: chosen.map(({ id }) => id).join() })
  }
  const tagWord = filter.anyTagId ? 'anyTagId' : 'tagId'
  const tags = filter.anyTagId ?? filter.tagId
  return (
    <>
      <Picker
        label={words.board.assignee}
        chosen={optionsOf(filter.assigneeId)}
        find={async (typed, signal) => [...special(typed), ...(await findMembers(typed, signal)).filter(isNotMe)]}
        onChange={put('assigneeId')}
      />
      <Picker label={words.board.tags} chosen={optionsOf(tags)} find={findTags} onChange={put(tagWord)} />
      {tags && tags.length > 1 && (
        <Choice
          label={words.board.tagsHow}
          value={tagWord}
          options={[
            ['tagId', words.board.allTags],
            ['anyTagId', words.board.anyTag],
          ]}
          onChange={(word) => setQuery({ tagId: undefined, anyTagId: undefined, [word]: tags.join() })}
        />
      )}
      <Picker
        label={words.board.type}
        chosen={optionsOf(filter.typeId)}
        find={findTaskTypes}
        onChange={put('typeId')}
      />
      <Picker
        label={words.board.priority}
        chosen={optionsOf(filter.priority)}
        find={async (typed) =>
          priorities
            .map((id) => ({ id, label: words.board.priorities[id] }))
            .filter(({ label }) => foldName(label).startsWith(foldName(typed)))
        }
        onChange={put('priority')}
      />
      <Choice
        label={words.board.due}
        value={dueOf(filter)}
        options={dues}
        onChange={(due) => setQuery(wordsOfDue(due))}
      />
      <Choice
        label={words.board.completed}
        value={query('completed')}
        options={[
          ['', words.board.openAndDone],
          ['false', words.board.onlyOpen],
          ['true', words.board.onlyDone],
        ]}
        onChange={(completed) => setQuery({ completed })}
      />
      {board.workspace.projectId === null && (
        <Picker
          label={words.board.project}
          chosen={optionsOf(filter.projectId)}
          find={findProjects}
          onChange={put('projectId')}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <select
    aria-label={label}
    class={value === '' ? '' : 'chosen'}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  >
    {options.map(([option, text]) => (
      <option key={option} value={option}>
        {text}
      </option>
    ))}
  </select>
)

const special = (typed: string): readonly Option[] =>
  [
    { id: 'me', label: words.board.me },
    { id: 'none', label: words.board.nobody },
  ].filter(({ label }) => foldName(label).startsWith(foldName(typed)))

const isNotMe = ({ id }: Option) => id !== me().member.id

function nameOf(id: string, board: Board): string {
  const said: Record<string, string> = { ...words.board.priorities, me: words.board.me, none: words.board.nobody }
  return board.named.get(id)?.name ?? filterNames.value.get(id) ?? said[id] ?? '…'
}

const dues: readonly (readonly [string, string])[] = [
  ['', words.board.dueAny],
  ['overdue', words.board.dueOverdue],
  ['week', words.board.dueWeek],
  ['none', words.board.dueNone],
  ['other', words.board.dueOther],
]

const weekDays = 7

function wordsOfDue(due: string): Record<string, string | undefined> {
  const none = { dueDate: undefined, dueBefore: undefined, dueAfter: undefined }
  const today = new Date()
  if (due === 'overdue') return { ...none, dueBefore: dayOf(today), completed: 'false' }
  if (due === 'week') return { ...none, dueAfter: dayOf(today), dueBefore: dayOf(today, weekDays) }
  return due === 'none' ? { ...none, dueDate: 'none' } : none
}

function dueOf(filter: Filter): string {
  const { dueDate, dueBefore, dueAfter } = filter
  const today = dayOf(new Date())
  if (!dueDate && !dueBefore && !dueAfter) return ''
  if (dueDate?.join() === 'none') return 'none'
  if (dueBefore === today && !dueAfter && !dueDate) return 'overdue'
  return dueAfter === today && dueBefore === dayOf(new Date(), weekDays) ? 'week' : 'other'
}
