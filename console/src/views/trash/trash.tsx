import { useSignal } from '@preact/signals'
import { type Event, foldName } from '@taskwright/client'
import { useEffect } from 'preact/hooks'
import { useLoaded } from '../../live/loaded.ts'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loading.tsx'
import { useNames } from '../../parts/names.ts'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { query, setQuery } from '../../router/router.ts'
import { isAdmin } from '../../session/may.ts'
import { words } from '../../words.ts'
import { keyWords } from '../keys/key-words.ts'
import { isAll, kinds, listed, type TrashItem, type TrashState, takeIn } from './deleted.ts'
import { DeletedLine } from './deleted-line.tsx'
import { readBack, readLatest } from './reading.ts'
import { nameOf } from './saying.ts'
import { trashWords } from './trash-words.ts'

const pageSize = 50

/** Deleted items that can be restored. The API has no list of them, so the page reads events. */
export default function Trash() {
  const [q, kind] = [foldName(query('q').trim()), query('kind')]
  const wanted = useSignal(pageSize)
  const trouble = useSignal<unknown>(undefined)
  const isReading = useSignal(false)
  const suits = (deleted: TrashItem) =>
    (kind === '' || deleted.kind === kind) && (q === '' || foldName(nameOf(deleted)).includes(q))
  const isEnough = (all: readonly TrashItem[]) => all.filter(suits).length >= wanted.value
  const found = useLoaded('trash', (signal) => readLatest(isEnough, signal), react)

  const now = found.value.value
  const shown = (now === undefined ? [] : listed(now)).filter(suits)
  const lacks = now !== undefined && !isAll(now) && shown.length < wanted.value
  const readMore = async () => {
    if (now === undefined || isReading.value) return
    isReading.value = true
    trouble.value = undefined
    try {
      const more = await readBack(now, isEnough)
      // another read may have replaced the list, and new events may have arrived
      found.change((latest) => joined(latest, more))
    } catch (error) {
      trouble.value = error
    }
    isReading.value = false
  }
  useEffect(() => {
    if (lacks && trouble.value === undefined) void readMore()
  }, [lacks, now?.days, q, kind])
  useEffect(() => {
    wanted.value = pageSize
  }, [q, kind])
  const named = useNames(shown.slice(0, wanted.value).map(({ actorId }) => actorId))
  const by = ({ actorId }: TrashItem) => {
    if (actorId === null) return trashWords.server
    const name = named(actorId)
    return name === null ? keyWords.gone : (name ?? keyWords.somebody)
  }
  return (
    <>
      <header class="view-head">
        <h1>{words.views.trash}</h1>
      </header>
      <p class="quiet trash-lead">{isAdmin() ? trashWords.lead : `${trashWords.lead} ${trashWords.notYou}`}</p>
      <div class="view-head">
        <SearchField label={trashWords.search} />
        <select
          aria-label={trashWords.kind}
          value={kind}
          onChange={({ currentTarget: { value } }) => setQuery({ kind: value })}
        >
          <option value="">{trashWords.everything}</option>
          {kinds
            .filter((each) => each !== 'webhook' || isAdmin())
            .map((each) => (
              <option key={each} value={each}>
                {trashWords.plural[each]}
              </option>
            ))}
        </select>
      </div>
      <Loading of={found}>
        {(state) => (
          <>
            <Rows label={trashWords.list} isBusy={isReading.value}>
              {shown.slice(0, wanted.value).map((deleted) => (
                <DeletedLine key={`${deleted.kind} ${deleted.id}`} deleted={deleted} by={by(deleted)} />
              ))}
            </Rows>
            {shown.length === 0 && isAll(state) && (
              <p class="empty">{q === '' && kind === '' ? trashWords.empty : trashWords.noneFound}</p>
            )}
            {isReading.value && (
              <p class="quiet" role="status">
                {trashWords.reading}
              </p>
            )}
            {trouble.value !== undefined && <Failure error={trouble.value} onRetry={() => void readMore()} />}
            {shown.length > wanted.value && (
              <div class="pager">
                <button
                  type="button"
                  onClick={() => {
                    wanted.value += pageSize
                  }}
                >
                  {trashWords.more}
                </button>
              </div>
            )}
          </>
        )}
      </Loading>
    </>
  )
}

/** Adds older items to the latest ones. If the list was read again meanwhile, keeps that one. */
function joined(latest: TrashState, more: TrashState): TrashState {
  if (latest.reading !== more.reading) return latest
  const later = [...latest.all].filter(([key, { sequence }]) => sequence > (more.all.get(key)?.sequence ?? 0))
  return { ...more, all: new Map([...more.all, ...later]) }
}

function react(event: Event, now: TrashState): TrashState | undefined {
  const all = new Map(now.all)
  return takeIn(all, event) ? { ...now, all } : undefined
}
